"""What the library says of arguments, said of the fields of the studio's forms: whatever a person reads here can be found on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tokumei.messages import Phrase, phrase

FIELDS: Mapping[str, Callable[..., Phrase]] = {
    "{kept} would be released unchanged, and every column must be perturbed; use kept='perturb', or drop it": lambda kept, **_: (
        phrase(
            "{kept} would be released unchanged, and every column must be perturbed; choose that columns released unchanged are perturbed as well, or leave it out",
            kept=kept,
        )
    ),
    "how many rows a person has was counted in the data; declare it (most=)": lambda **_: phrase(
        "how many rows a person has was counted in the data, and not declared"
    ),
    "averages do not say which people of a population a row may belong to; take cells='interval', or leave out the constraints that name a population.": lambda **_: (
        phrase(
            "Averages do not say which people of a population a row may belong to; let an interval stand for each group, or leave out the constraints that name a population."
        )
    ),
    "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; take a partition whose boxes do not overlap, such as Mondrian(strict=True) or Optimal().": lambda notion, **_: (
        phrase(
            "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; group rows by strict Mondrian cuts, or take the best level for each whole column.",
            notion=notion,
        )
    ),
    "delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and delta_min asks for more; take Optimal(), or ask for less.": lambda low, **_: (
        phrase(
            "Delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and more is asked for; take the best level for each whole column, or ask for less.",
            low=low,
        )
    ),
    "a Bernoulli sample may contain everyone, so nothing is guaranteed for certain; choose a fixed size, or give delta (a guarantee that fails with that probability) or redraw_above (draw again above that size).": lambda **_: (
        phrase(
            "A Bernoulli sample may contain everyone, so nothing is guaranteed for certain; choose a fixed size, give the probability with which the guarantee may fail, or draw again above a number of rows."
        )
    ),
    "a sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation.": lambda **_: (
        phrase(
            "A sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; choose that columns released unchanged are perturbed as well, leave them out, or perturb without groups."
        )
    ),
    "groups of people with several rows cannot also count on equivalence classes of known columns; perturb the kept columns (kept='perturb'), drop them, or use PkPerturbation.": lambda **_: (
        phrase(
            "Groups of people with several rows cannot also count on equivalence classes of known columns; choose that columns released unchanged are perturbed as well, leave them out, or perturb without groups."
        )
    ),
    "no sample within the size was drawn; raise rate or redraw_above.": lambda **_: phrase(
        "No sample within the size was drawn; raise the share that is drawn, or the number of rows above which it is drawn again."
    ),
    "redraw_above is so far below the expected size that drawing might never end; raise it.": lambda **_: phrase(
        "The number of rows above which a sample is drawn again is so far below the expected size that drawing might never end; raise it."
    ),
    "redraw_above must be at least 1. Got {redraw_above}.": lambda redraw_above, **_: phrase(
        "The number of rows above which a sample is drawn again must be at least 1. Got {redraw_above}.",
        redraw_above=redraw_above,
    ),
    "split shares the budget among columns that every row tells; say tells='all' too, or leave it out.": lambda **_: (
        phrase(
            "How columns share the noise can be set only where every row tells every column; choose that too, or leave it as usual."
        )
    ),
    "true rates together with wildcards are refused: subtracting the shown cells from them reveals the suppressed ones; give them an epsilon, or use meaning='own_value'.": lambda **_: (
        phrase(
            "True rates together with suppressed cells that agree with any value are refused: subtracting the shown cells from them reveals the suppressed ones; give the rates an epsilon, or let suppressed cells agree only with suppressed ones."
        )
    ),
    "{gone:row|rows} would be suppressed{why}, and suppression_limit allows {limit:,}; raise it, or ask for less.": lambda gone, why, limit, **_: (
        phrase(
            "{gone:row|rows} would be suppressed{why}, and only {limit:,} may be; raise the share that may be suppressed, or ask for less.",
            gone=gone,
            why=why,
            limit=limit,
        )
    ),
    "{kept}, released unchanged, may show which rows belong to one household, which kept='unknown' cannot allow; use kept='known' or kept='perturb', or drop it.": lambda kept, **_: (
        phrase(
            "{kept}, released unchanged, may show which rows belong to one household, so it cannot be unknown to attackers; choose that columns released unchanged are known to attackers too, or perturbed as well, or leave it out.",
            kept=kept,
        )
    ),
    "{kept}, released unchanged, may show which rows belong to one person, which kept='unknown' cannot allow; use kept='known' or kept='perturb', or drop it.": lambda kept, **_: (
        phrase(
            "{kept}, released unchanged, may show which rows belong to one person, so it cannot be unknown to attackers; choose that columns released unchanged are known to attackers too, or perturbed as well, or leave it out.",
            kept=kept,
        )
    ),
    "{label!r} is a quasi-identifier, and released strata would release it unchanged; hide the labels (labels='hidden'), or give the column another role.": lambda label, **_: (
        phrase(
            "{label!r} is a quasi-identifier, and released strata would release it unchanged; leave the column of strata out, or give it another role.",
            label=label,
        )
    ),
    "{columns} have {size:,} combinations of values together, and a row can tell one of at most {most:,}; tell fewer columns, or coarser ones (cells=).": lambda columns, size, most, **_: (
        phrase(
            "{columns} have {size:,} combinations of values together, and a row can tell one of at most {most:,}; tell fewer columns, or fewer cells of a column.",
            columns=columns,
            size=size,
            most=most,
        )
    ),
    "TopBottomCode needs low, high or both.": lambda **_: phrase(
        "Top and bottom coding needs a lowest value, a highest value, or both."
    ),
    "TopBottomCode needs numbers or dates, and {column!r} has none.": lambda column, **_: phrase(
        "Top and bottom coding needs numbers or dates, and {column!r} has none.", column=column
    ),
    "TopBottomCode of {column!r} needs a domain with a declared step.": lambda column, **_: phrase(
        "Top and bottom coding of {column!r} needs values with a declared step.", column=column
    ),
    "TopBottomCode of {column!r}: low must not be above high.": lambda column, **_: phrase(
        "Top and bottom coding of {column!r}: the lowest value must not be above the highest.", column=column
    ),
    "TopBottomCode of {column!r}: {bound} is not a grid point of its domain.": lambda column, bound, **_: phrase(
        "Top and bottom coding of {column!r}: {bound} is not one of its values.", column=column, bound=bound
    ),
    "kept='known' assumes that {column!r} of everyone is known, but a pseudonym is known only to someone who has its key; use kept='unknown', or leave it out.": lambda column, **_: (
        phrase(
            "Columns known to attackers are known of everyone, but the pseudonym of {column!r} is known only to someone who has its key; choose that columns released unchanged are unknown to attackers, or leave it out.",
            column=column,
        )
    ),
    "kept='perturb' cannot perturb {column!r}, which is text without a domain; use kept='unknown', or leave it out.": lambda column, **_: (
        phrase(
            "{column!r} is text without declared values, which cannot be perturbed; choose that columns released unchanged are unknown to attackers, or leave it out.",
            column=column,
        )
    ),
    "its text is not {encoding}, or not as it says; give its encoding (--encoding, or encoding in the plan)": lambda encoding, **_: (
        phrase("its text is not {encoding}, or not as it says; choose another encoding", encoding=encoding)
    ),
    "{file} is not {encoding} text; give its encoding (--encoding).": lambda file, encoding, **_: phrase(
        "{file} is not {encoding} text; choose another encoding.", file=file, encoding=encoding
    ),
    "Lattice: there are too many boxes with this many columns; use NearestGroups.": lambda **_: phrase(
        "There are too many boxes with this many columns; group rows by nearest groups."
    ),
    "Lattice: there are too many columns to number their boxes; use NearestGroups.": lambda **_: phrase(
        "There are too many columns to number their boxes; group rows by nearest groups."
    ),
    "NearExact takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; use LocalSearch(thorough=True).": lambda most_rows, largest_k, rows, k, **_: (
        phrase(
            "The nearly exact search takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; group rows by local search.",
            most_rows=most_rows,
            largest_k=largest_k,
            rows=rows,
            k=k,
        )
    ),
    "min_samples must be a whole number of at least 2. Got {min_samples}.": lambda min_samples, **_: phrase(
        "The rows that make a neighborhood dense must be a whole number of at least 2. Got {min_samples}.",
        min_samples=min_samples,
    ),
    "min_size must be a whole number of at least 1. Got {size}.": lambda size, **_: phrase(
        "The smallest size must be a whole number of at least 1. Got {size}.", size=size
    ),
    "max_rows must be a whole number of at least 1. Got {max_rows}.": lambda max_rows, **_: phrase(
        "The most rows of a part must be a whole number of at least 1. Got {max_rows}.", max_rows=max_rows
    ),
    "suppression_limit must be a share between 0 and 1. Got {limit:g}.": lambda limit, **_: phrase(
        "The share of rows that may be suppressed must lie between 0 and 1. Got {limit:g}.", limit=limit
    ),
    "the exact search takes sets of up to {most} labels, and a column has {labels}; use search='greedy'.": lambda most, labels, **_: (
        phrase(
            "The exact search takes sets of up to {most} labels, and a column has {labels}; search for cuts greedily.",
            most=most,
            labels=labels,
        )
    ),
    "the exact search takes two columns that vary, and there are {columns}; use search='greedy'.": lambda columns, **_: (
        phrase(
            "The exact search takes two columns that vary, and there are {columns}; search for cuts greedily.",
            columns=columns,
        )
    ),
    "{left:row|rows} would be left, too few for one group of {k}; use a larger eps, or outliers='nearest'.": lambda left, k, **_: (
        phrase(
            "{left:row|rows} would be left, too few for one group of {k}; use a larger neighborhood radius, or let rows outside all clusters join the nearest group.",
            left=left,
            k=k,
        )
    ),
    "delta_min and delta_max must be probabilities, delta_max above 0 and not below delta_min. Got {low:g} and {high:g}.": lambda low, high, **_: (
        phrase(
            "The smallest and the largest probability of being in the table must be probabilities, the largest above 0 and not below the smallest. Got {low:g} and {high:g}.",
            low=low,
            high=high,
        )
    ),
    "c must be given for kind='recursive', and only then.": lambda **_: phrase(
        "c must be given for recursive l-diversity, and only then."
    ),
    "the ordered distance of {column!r} needs categories declared as ordered; declare them so, or use distance='equal'.": lambda column, **_: (
        phrase(
            "The ordered distance of {column!r} needs categories declared as ordered; take all values as equally far apart.",
            column=column,
        )
    ),
    "A spreadsheet would run the names of the columns {titles} in {what} as formulas; write it with formulas='quote' (--formulas quote) for people who open it in one.": lambda titles, what, **_: (
        phrase(
            "A spreadsheet would run the names of the columns {titles} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.",
            titles=titles,
            what=what,
        )
    ),
    "A spreadsheet would run {cells:cell|cells} of {columns} and the names of the columns {titles} in {what} as formulas; write it with formulas='quote' (--formulas quote) for people who open it in one.": lambda cells, columns, titles, what, **_: (
        phrase(
            "A spreadsheet would run {cells:cell|cells} of {columns} and the names of the columns {titles} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.",
            cells=cells,
            columns=columns,
            titles=titles,
            what=what,
        )
    ),
    "A spreadsheet would run {cells:cell|cells} of {columns} in {what} as formulas; write it with formulas='quote' (--formulas quote) for people who open it in one.": lambda cells, columns, what, **_: (
        phrase(
            "A spreadsheet would run {cells:cell|cells} of {columns} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.",
            cells=cells,
            columns=columns,
            what=what,
        )
    ),
    "This release was drawn with a seed, which anyone may guess, so its guarantee would be void; make it without a seed, or write it with allow_seeded=True for tests and research.": lambda **_: (
        phrase(
            "This release was drawn with a seed, which anyone may guess, so its guarantee would be void; make it without a seed."
        )
    ),
    "collation_check looks at rows generalized to labels, as by Generalization; the attack (tk.attack, tokumei attack) plays against perturbed or sampled releases.": lambda **_: (
        phrase("The collation check looks at rows generalized to labels.")
    ),
    "Wildcards are not counted for people with several rows; use meaning='own_value', under which a suppressed cell agrees with suppressed cells only.": lambda **_: (
        phrase(
            "Suppressed cells that agree with any value are not counted for people with several rows; let them agree only with suppressed ones."
        )
    ),
}
