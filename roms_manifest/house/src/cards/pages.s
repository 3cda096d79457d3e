; The program ROM, page by page of 8 KiB: each begins and ends with its number. The first page of a bank holds a
; behaviour of the show's actors; a page that may lie at $E000 holds the way home.

.include "actors.inc"

.macro page_number page
    .byte <(page), <(page) ^ $FF
.endmacro

.macro boot_page page
    .local start
start:
    .repeat 256, i
    .byte i
    .endrepeat
    sei
    board_boot
    jmp reset
    .res $1C0 - (* - start), $FF
    jmp (nmi_target)
    inc nmi_count
    rti
    jmp (irq_target)
    rti
    .res $1E0 - (* - start), $FF
    page_number page
    .res $1FA - (* - start), $FF
    .word STUB_NMI, STUB_RESET, STUB_IRQ
.endmacro

.repeat PRG_PAGES, page
    .segment .sprintf("PG%02X", page)
    page_number page
    .segment .sprintf("TL%02X", page)
.if PRG_WINDOW_KIB = 32
    .if page & 3 = 3
    boot_page page
    .else
    page_number page
    .endif
    .if (page & 3 = 0) || (PRG_KIB = 32 && page = 1)
    .segment .sprintf("PG%02X", page)
    .if PRG_KIB = 32
    actor_behaviour page
    .else
    actor_behaviour page / 4
    .endif
    .endif
.elseif PRG_WINDOW_KIB = 16
    .if page = HOME_PAGE || (ALL_BANKS_BOOT && page & 1 = 1)
    boot_page page
    .else
    page_number page
    .endif
    .if page & 1 = 0 && page / 2 <> HOME_BANK
    .segment .sprintf("PG%02X", page)
    actor_behaviour page / 2
    .endif
.else
    .if page = HOME_PAGE
    boot_page page
    .else
    page_number page
    .endif
    .if page < PRG_PAGES - 2
    .segment .sprintf("PG%02X", page)
    actor_behaviour page
    .endif
.endif
.endrepeat
