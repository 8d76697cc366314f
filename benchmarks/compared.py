"""What methods cost for the same risk, on invented people: python -m benchmarks.compared prints the table of docs/utility.md."""

from __future__ import annotations

import tokumei as tk

METHODS = [
    "pk_perturbation",
    "pk_perturbation:tells=all",
    "generalization:top_down",
    "microaggregation:farthest_first",
    "local_suppression",
]
SHOWN = ["marginals", "pairs", "associations", "told_apart", "score"]


def main() -> None:
    schema = tk.example_schema()
    schema = schema.replacing(tk.Attribute("hours", "insensitive", schema["hours"].domain))
    people = tk.example_census(frame="pyarrow")
    found = tk.compare(people, schema, METHODS, ks=(2, 10, 50), target="income", sample=people.num_rows)
    scored = next(score for score in found["score_original"].to_pylist() if score is not None)
    print(f"12,000 invented people; learned from the original, a model scores {scored}")
    print(f"| method | k | {' | '.join(SHOWN)} |")
    print("|---" * (2 + len(SHOWN)) + "|")
    for row in found.to_pylist():
        name = row["method"] + (", reconstructed" if row["side"] == "reconstructed" else "")
        numbers = ["" if row[each] is None else f"{row[each]:.3f}".lstrip("0") for each in SHOWN]
        print(f"| {name} | {row['k']:g} | {' | '.join(numbers)} |")


if __name__ == "__main__":
    main()
