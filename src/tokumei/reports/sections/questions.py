"""Singling out, linkability and inference, and the questions of Japanese law, answered one by one."""

from __future__ import annotations

from tokumei.privacy.notions import NOTIONS, down
from tokumei.reports.findings import Findings
from tokumei.reports.html import Html, joined, paragraphs, section, tag
from tokumei.reports.numbers import percent, whole
from tokumei.reports.sections.rungs import on_rungs
from tokumei.words import Words


def questions(found: Findings, words: Words) -> Html:
    """Answer each question by what is proven and what was counted, and by the rungs it is about; claim no more."""
    answers = {
        "singling_out": [*singling_out(found, words), *on_rungs(found, words, "linking", "whole_table")],
        "linkability": [*linkability(found, words), *on_rungs(found, words, "whole_table", "membership")],
        "inference": [*inference(found, words), *on_rungs(found, words, "inference", "differencing")],
        "provider": provider(found, words),
        "collation": collation(found, words),
    }
    parts = [joined([tag("h3", words(f"question_{key}")), paragraphs(*said)]) for key, said in answers.items()]
    return section("questions", words("title_questions"), paragraphs(words("questions_law")), *parts)


def singling_out(found: Findings, words: Words) -> list[str]:
    """Say whether a person can be singled out."""
    columns = words.some_names(found.columns)
    if found.kind in {"perturbed", "swapped"}:
        return [words("linking_seeded") if found.release.seeded else words(f"singling_{found.kind}", k=down(found.k))]
    if found.together is None:
        return [words("singling_no_columns")]
    if found.classes is None:
        said = words("singling_people", columns=columns, k=down(found.k))
    else:
        counts = {"k": whole(found.classes.k), "rows": whole(found.classes.unique)}
        said = words(f"singling_{found.kind}", columns=columns, **counts)
    rows, share = whole(found.together.unique), percent(found.together.unique_share)
    return [said, words("singling_together", rows=rows, share=share)] if found.kind == "alike" else [said]


def linkability(found: Findings, words: Words) -> list[str]:
    """Say whether rows of the same person can be brought together."""
    said = words("linking_seeded") if found.release.seeded else words("linking_promise", k=down(found.k))
    return [said if found.k > 1 else words("linking_nothing"), words("linking_again")]


def inference(found: Findings, words: Words) -> list[str]:
    """Say whether a value of a person can be concluded."""
    said = []
    if found.kind == "sampled":
        said.append(words("inference_sampled"))
    elif found.classes is not None:
        for name, each in found.classes.sensitive.items():
            values = {"l": whole(each.distinct), "rows": whole(each.disclosed), "t": f"{each.t:.3f}"}
            said.append(words("inference_class", column=words.names([name]), **values))
    if found.private is not None and found.private.attack is not None:
        for name, guess in found.private.attack.sensitive.items():
            right, without = percent(guess.right / guess.people), percent(guess.without / guess.people)
            said.append(words("inference_guess", column=words.names([name]), right=right, without=without))
    stated = any(each.checked and NOTIONS[each.notion].sensitive for each in found.release.guarantees)
    said.append(words("inference_stated" if stated else "inference_not_promised"))
    return said


def provider(found: Findings, words: Words) -> list[str]:
    """Say whether the data holder, who has the original, could tell whose row it is."""
    if found.kind == "perturbed":
        if found.release.seeded:
            return [words("provider_seeded")]
        unknown = found.kept and found.release.method.get("kept") == "unknown"
        return [
            words(
                "provider_unknown" if unknown else "provider_perturbed",
                columns=words.names(found.kept),
                k=down(found.k),
            )
        ]
    if found.kind == "swapped":
        return [
            words("provider_swapped", columns=words.names(found.kept)) if found.kept else words("provider_swapped_all")
        ]
    if found.kind == "sampled" or found.together is None:
        return [words("provider_sampled")]
    rows, share = whole(found.together.unique), percent(found.together.unique_share)
    return [words("provider_alike", rows=rows, share=share, k=whole(found.together.k))]


def collation(found: Findings, words: Words) -> list[str]:
    """Say what would make it easy to bring the release together with other information."""
    kept = words("collation_kept", columns=words.names(found.kept)) if found.kept else words("collation_none_kept")
    said = [words.join([words("collation_gone"), kept, words("collation_do")])]
    if found.private is not None and found.private.collation is not None:
        told = found.private.collation
        numbers = {
            "groups": told.looked_at,
            "resolved": told.resolved,
            "undecided": told.undecided,
            "pinned": told.pinned,
        }
        said.append(words("collation_check", **{name: whole(number) for name, number in numbers.items()}))
    return said
