"""Views: pure functions from evidence to what a page shows, ready for formatting."""
