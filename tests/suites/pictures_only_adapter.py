"""nesproof's fast console without what `options["without"]` names: runs in the worker's process."""

import importlib.util


def make_adapter(options):
    spec = importlib.util.spec_from_file_location("own_adapter", options["adapter"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    adapter = module.make_adapter(
        {"namespace": options["namespace"], "module": "core_adapter", "device": "cpu"}
        | ({"fault": options["fault"]} if "fault" in options else {})
    )
    adapter.capabilities = [word for word in adapter.capabilities if word not in options["without"]]
    return adapter
