"""What the short run of the tests leaves out, beside those on real logs; see ``_mark_full`` of conftest."""

from __future__ import annotations

IN_PROCESSES_OF_THEIR_OWN = (
    "test_arena.py",
    "test_attack.py",
    "test_bad_input.py",
    "test_cluster.py",
    "test_current_folder.py",
    "test_dataset.py",
    "test_doc_examples.py",
    "test_ends.py",
    "test_engines.py",
    "test_faults.py",
    "test_find.py",
    "test_growth.py",
    "test_hostile_datasets.py",
    "test_hostile_input.py",
    "test_language.py",
    "test_mistakes.py",
    "test_mutants.py",
    "test_numeric_options.py",
    "test_object_stores.py",
    "test_odd_names.py",
    "test_only.py",
    "test_pages_in_japanese.py",
    "test_plugins.py",
    "test_queries.py",
    "test_report.py",
    "test_report_pairs.py",
    "test_sentinels.py",
    "test_show_html.py",
    "test_streams.py",
    "test_written_values.py",
)
"""Files of tests that start commands, browsers, bots, clusters or servers: they take most of the time."""
EVERY_NTH = {
    **dict.fromkeys(IN_PROCESSES_OF_THEIR_OWN, 20),
    "test_hostile_datasets.py::test_every_link_is_broken_by_something": 0,
    "test_report_browser.py": 0,
    "test_site.py": 0,
    "test_convert.py::test_nothing_is_lost_but_what_the_format_cannot_state": 4,
    "test_decisions.py::test_columns_are_what_their_words_say": 5,
    "test_fair.py": 5,
    "test_fuzz.py::test_mangled_games_survive_everything": 4,
    "test_kernels.py::test_plain_python_and_the_library_say_the_same": 0,
    "test_outdated_in_riichi.py::test_shanten_and_waits_are_those_of_the_obvious_way": 3,
    "test_remembered.py": 20,
    "test_rule_guess.py": 5,
    "test_solver.py::test_compiled_and_interpreted_agree": 0,
}
"""File or test -> of its tests or cases, the short run takes every Nth, from the first on; 0: none."""
