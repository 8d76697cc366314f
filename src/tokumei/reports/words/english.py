"""The sentences of a report in English."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "title": "Report on a release",
    "variant_private": "For the data holder only: this report says things about the original rows.",
    "variant_public": "Public: made from the released rows and their manifest alone.",
    "contents": "Contents",
    "absent": "–",
    "list_comma": ", ",
    "list_semicolon": "; ",
    "colon": ": ",
    "in_manifest": "(long; see manifest.json)",
    # Verdict
    "title_verdict": "In short",
    "verdict_what": "{rows} rows and {columns} columns, made by {method}.",
    "verdict_void": "The draws follow from a seed, so nothing is promised against anybody who knows or guesses it.",
    "verdict_before": "Of the original rows {rows} ({share}) were alone with what somebody may know of them.",
    "verdict_classes": "Of the released rows {rows} are alone; the smallest class has {k} rows.",
    "verdict_attack": (
        "In a trial, an attacker who knows the original table linked {linked} of {people} people rightly (with 95 % confidence "
        "{low} to {high} of them); his surest link had a probability of {belief}."
    ),
    "verdict_belief": "To an attacker who knows the original table, his surest link has a probability of {belief}.",
    "verdict_released": "As released, the distribution of a column is off by {column} on average.",
    "verdict_reconstructed": "With the noise undone it is off by {column}.",
    "verdict_not_measured": "How useful it still is could not be measured.",
    "verdict_advice": "Things to look at before it leaves the house: {count} (see Advice).",
    "verdict_no_advice": "There is no advice to add.",
    "verdict_receiver_perturbed": (
        "Cells were changed by chance: counting released rows gives wrong answers on purpose, and undoing the noise "
        "statistically gives right ones."
    ),
    "verdict_receiver_sampled": "The rows are a sample, released as they were.",
    "verdict_receiver_alike": "Rows were made alike: labels and averages stand for groups of values.",
    # Promise
    "title_promise": "What is promised",
    "title_assumes": "What this assumes",
    "promise_of": "(promise {places})",
    "promise_proofs": "The proofs are in {proofs} of tokumei's documentation.",
    "headline": "{attacker} ({notion}, {letter} = {value}).",
    "headline_linking": "{attacker} links a released row to a person with a probability over 1/{value} ({notion}, {letter} = {value}).",
    "notion_Pk-anonymity": "Pk-anonymity",
    "notion_sampling anonymity": "sampling anonymity",
    "notion_differential privacy": "differential privacy",
    "notion_local differential privacy": "local differential privacy",
    "notion_k-anonymity": "k-anonymity",
    "notion_k-anonymity with wildcards": "k-anonymity with wildcards",
    "notion_l-diversity": "l-diversity",
    "notion_t-closeness": "t-closeness",
    "notion_delta-disclosure privacy": "delta-disclosure privacy",
    "notion_beta-likeness": "beta-likeness",
    # Risk
    "title_risk": "What an attacker can do",
    "risk_measure": "Measure",
    "risk_before": "Original",
    "risk_after": "Release",
    "risk_k": "Smallest class (k)",
    "risk_unique": "Rows that are alone",
    "risk_highest": "Probability of the surest link",
    "risk_average": "Probability of a link, on average",
    "risk_above": "Rows linked with a probability over {threshold}",
    "risk_who_alike": (
        "The attacker knows {columns} of one person, and that the person is in the table. He looks for rows that agree."
    ),
    "risk_who_sampled": (
        "In the original the attacker knows {columns} of one person. In the release he knows the whole original table, and "
        "not who was drawn: far more."
    ),
    "risk_who_perturbed": (
        "In the original the attacker knows {columns} of one person. In the release he knows the whole original table and "
        "how the noise was made, and not its draws: far more. Classes of perturbed rows tell nothing, so they are not counted."
    ),
    "risk_wildcards": (
        "A suppressed cell is counted as a value of its own, which never understates the risk. If it is taken to agree with "
        "anything, every row agrees with {k} rows at least, itself included."
    ),
    "caption_before_after": "Probability of a right link, in the original and in the release.",
    "caption_sizes_before": "Original: how many rows a row agrees with, itself included.",
    "caption_sizes_after": "Release: how many rows a row agrees with, itself included.",
    "caption_blame": "Which columns single people out in the original: the share of each in the scores of all rows. Shares add up to 100 %.",
    "blame_sets": "Smallest sets of columns in which most rows of the original are alone: {sets}.",
    "blame_set": "{columns} ({rows} rows)",
    "attack_some": (
        "The table is large, so a release of {rows} rows drawn from its {all} was made in the same way and attacked."
    ),
    "attack_linked": (
        "He links {linked} of {people} people rightly (with 95 % confidence {low} to {high} of them), counted on a release "
        "that was drawn for this, with draws that do not change from report to report."
    ),
    "attack_no_truth": "Which of his links are right nobody knows, since the order of the rows is not kept.",
    "attack_belief": "His surest link has a probability of {belief}; he himself expects to link {expected} people rightly.",
    "attack_promised": "The promise allows {promised}.",
    "attack_unknown": "He makes no use of {columns}, as the promise assumes.",
    "attack_how": "How his beliefs were computed: {how}.",
    "public_counted": "Counted on the released rows, as everybody can who receives them: who agrees in {columns}.",
    "public_perturbed": (
        "Released cells were changed by chance, so the classes of released rows tell nothing about the risk. The promise "
        "above bounds it, whatever the rows look like."
    ),
    "public_no_columns": "No released column is one that somebody may know of a person, so there are no classes to count.",
    "public_people": (
        "People have several rows, and the release does not tell whose they are, so its classes would understate the risk. The "
        "promise above counts people."
    ),
    # Questions
    "title_questions": "Three questions, and two of Japanese law",
    "questions_law": (
        "The first three are those by which European data protection authorities look at anonymization (Article 29 Working "
        "Party, Opinion 05/2014). These are answers of arithmetic. Whether a release complies with a law depends on its "
        "setting and on people; nothing here claims that it does."
    ),
    "question_singling_out": "Singling out: can somebody be picked out?",
    "singling_perturbed": (
        "A released row may stand alone, but it need not be anybody's true record. Whichever row somebody takes for a "
        "person's, he is right with a probability of at most 1/{k}, under the assumptions above."
    ),
    "singling_alike": (
        "By {columns}: every released row agrees with at least {k} rows, itself included, and {rows} rows are alone."
    ),
    "singling_people": (
        "By {columns}: nobody has more than 1 in {k} of the rows that agree. Whichever of them somebody takes for a person's, he is "
        "right with a probability of at most 1/{k}, under the assumptions above."
    ),
    "singling_together": "By all released columns together, {rows} rows ({share}) are alone.",
    "singling_sampled": (
        "Yes, among the released rows: {rows} of them are alone with {columns}. Whoever does not know who was drawn cannot "
        "tell whether such a row is the only one of its kind among all people."
    ),
    "singling_no_columns": "No released column is one that somebody may know of a person.",
    "question_linkability": "Linkability: can a row be linked to its person, or rows of one person to each other?",
    "linking_promise": "A row is linked to its person with a probability of at most 1/{k}, under the assumptions above.",
    "linking_nothing": "Nothing is promised against it.",
    "linking_seeded": "The draws follow from a seed: whoever knows it may link rows. Nothing is promised against him.",
    "linking_again": (
        "This holds for this release alone. Another release of the same people adds to what is known of them; tk.combine "
        "says what is left."
    ),
    "question_inference": "Inference: can a value of a person be concluded?",
    "inference_class": (
        "{column}: a class has at least {l} different values and is up to {t} away from the whole release (total "
        "variation); {rows} rows lie in classes that agree in one value, which is learned without any link."
    ),
    "inference_sampled": "Whoever recognises a row reads all of its values: they are released as they were.",
    "inference_guess": (
        "{column}: the attacker guesses it rightly of {right} of the people, and of {without} without the release."
    ),
    "inference_stated": "A promise above limits this, class by class.",
    "inference_not_promised": (
        "The promise is about linking. It does not limit what is concluded from what many people have in common."
    ),
    "question_provider": "提供元基準 (the provider's view): could the holder, who has the original, tell whose row it is?",
    "provider_perturbed": (
        "Not with a probability over 1/{k}: the promise holds against somebody who knows the whole original table, as the "
        "holder does, as long as the draws and the order of the rows are gone. tokumei keeps neither."
    ),
    "provider_unknown": (
        "Perhaps: the promise of 1/{k} assumes that {columns}, released as it is, tells nothing, and the holder knows it. "
        'kept = "known" or "perturb" makes a promise against him too.'
    ),
    "provider_seeded": "Yes: the draws follow from a seed, and can be made again.",
    "provider_sampled": "Yes, for every row whose values nobody else has: rows are released as they were.",
    "provider_alike": (
        "In part: whoever has the original can make the same classes again and compare all released columns. {rows} rows "
        "({share}) then are alone; the smallest class then has size {k}."
    ),
    "question_collation": "容易照合性 (easy collation): what would make it easy to bring it together with other information?",
    "collation_gone": "Direct identifiers were dropped and rows shuffled; no table says which row came from whom.",
    "collation_kept": "Released as they are, and therefore to be compared with other tables: {columns}.",
    "collation_none_kept": "No column is released as it is.",
    "collation_do": "Keep the original apart from the release, and restrict who may see both.",
    "collation_check": (
        "Whoever has the original can resolve {resolved} of {groups} groups of rows to one set of original records "
        "(undecided: {undecided}). Rows that this gives away as one person's: {pinned}."
    ),
    # Advice
    "title_advice": "Advice",
    "advice_none": "Nothing in the catalogue applies.",
    "advice_seeded": "The draws follow from a seed. Make the release again without one before it leaves the house.",
    "advice_nothing_promised": 'k = 1 promises nothing against linking. Ask for a larger k, noisier matrices, or (of suppressed cells) meaning = "own_value".',
    "advice_nearly_unique": (
        "{column} has nearly as many different values as rows ({share}). It points to people like a name does: drop it, "
        "make it an identifier, or recode it."
    ),
    "advice_filled_classes": (
        "{column}: {rows} rows ({share}) lie in classes that agree in one sensitive value, so it is learned without a link. "
        "Ask for l-diversity or t-closeness."
    ),
    "advice_told_apart": (
        "{rows} rows ({share}) are alone if all released columns are known, those released as they are included. Recode or "
        "drop some of them if they may be known."
    ),
    "advice_small_groups": (
        "{column}: values that occur in fewer than k = {k} rows: {values}; rows that have them: {rows}. Merge them with others."
    ),
    "advice_outliers": (
        "{column}: rows that lie far from the others: {rows} (more than 3 interquartile ranges beyond the quartiles). Code them to "
        "the top or bottom."
    ),
    "advice_bounds_from_data": (
        "{column}: the domain or hierarchy was read off the data, so its bounds are somebody's values. Declare it."
    ),
    "advice_many_gone": (
        "{rows} rows ({share}) were left out or suppressed because they were rare. What is estimated from the others is not "
        "about everybody: recode first, so that fewer are."
    ),
    # Utility
    "title_utility": "What the release still says",
    "utility_how": (
        "Distances are total variation: 0 % is the same distribution, 100 % has nothing in common with it. As released, a "
        "label counts evenly for all values that it stands for."
    ),
    "utility_none": "Nothing could be measured.",
    "utility_measure": "Measure",
    "utility_column": "Column",
    "side_released": "As released",
    "side_reconstructed": "Reconstructed",
    "utility_marginals": "A column is off by, on average",
    "utility_pairs": "Two columns together are off by, on average",
    "utility_associations": "An association is off by, on average",
    "utility_told_apart": "Rows told from original ones (share of the worst pMSE)",
    "utility_score": "Score of a model on original rows",
    "utility_loss": "Loss of a quasi-identifying cell",
    "utility_ncp": "Normalised certainty penalty of a cell",
    "title_columns": "Column by column",
    "title_not_measured": "What could not be measured, or with reservations only",
    "caption_correlations": "Associations of two columns: correlation, or Cramér's V where one has no order.",
    "caption_marginals": "{column}: shares of its values in the original (left) and in the release (right).",
    "title_use": "What a receiver can do with it",
    "receive_perturbed": (
        "Do not count released rows: they are wrong on purpose. The noise is public, so joint tables, regressions and models "
        "can be estimated as if from the original, with intervals that say how precise they are."
    ),
    "receive_sampled": "Count as in any sample: shares are right up to chance; multiply to get to all people.",
    "receive_alike": (
        "Labels stand for several values, which tokumei reconstruct spreads out. Columns released as they are can be used as "
        "they are."
    ),
    "receive_averaged": (
        "Cells are averages over groups of rows, and cannot be undone. Means hold nearly; variances and associations do not."
    ),
    "receive_not_at_random": "Rare rows are missing or suppressed: what is estimated is not about everybody.",
    "receive_inspect": "tokumei inspect RELEASE says in words how every column was made.",
    # Method
    "title_method": "How it was made",
    "title_steps": "Steps before it",
    "method_parameter": "Parameter",
    "method_value": "Value",
    "method_drawn": "{rows} of {of} rows were drawn.",
    "method_left_out": "{rows} rows were left out because few were like them: not at random.",
    "method_always": "Direct identifiers were dropped, and rows shuffled.",
    "method_pk_perturbation": "Pk-perturbation",
    "method_grouped_pk_perturbation": "Pk-perturbation in groups",
    "method_pram": "PRAM (post-randomization)",
    "method_sampling": "sampling",
    "method_generalization": "generalization",
    "method_record_suppression": "suppression of records",
    "method_local_suppression": "suppression of cells",
    "method_microaggregation": "microaggregation",
    "about_pk_perturbation": "Every cell is kept or replaced by chance, just so much that no row can be linked with a probability over 1/k.",
    "about_grouped_pk_perturbation": "Similar rows are put into groups, and cells are changed by chance inside the box of their group.",
    "about_pram": "Every cell is changed by a published table of probabilities.",
    "about_sampling": "Some rows are drawn and released as they are.",
    "about_generalization": "Cells are made coarser until every row agrees with k rows at least, itself included.",
    "about_record_suppression": "Rows that agree with fewer than k are left out.",
    "about_local_suppression": "Single cells are suppressed until every row agrees with k rows at least.",
    "about_microaggregation": "Similar rows are put into groups of k or more, and each is released as the average of its group.",
    "step_recode": "{column} made coarser by its hierarchy",
    "step_top_bottom_code": "{column} coded to the top and bottom",
    "step_pseudonymize": "{column} replaced by a keyed pseudonym",
    "step_mask": "{column} masked but for a few characters",
    "step_drop": "{column} left out",
    # Dictionary
    "title_dictionary": "Data dictionary",
    "dictionary_column": "Column",
    "dictionary_role": "Role",
    "dictionary_values": "Values",
    "dictionary_happened": "What happened to a value",
    "dictionary_labels": "(released as {count} labels)",
    "role_identifier": "identifier",
    "role_person": "person",
    "role_quasi_identifier": "quasi-identifier",
    "role_sensitive": "sensitive",
    "role_insensitive": "insensitive",
    "domain_none": "not declared",
    "domain_missing": ", or missing",
    "domain_observed": "{count} values, read off the data",
    "domain_more": " and {count} more",
    "domain_range": "{low} to {high}",
    "domain_step": ", step {step}",
    # Looked
    "title_looked": "What was chosen by looking at the data",
    "looked_why": "Each of these tells something about the rows, and is published in the manifest with its reason.",
    "looked_nothing": "Nothing: parameters and domains follow from what was declared and the number of rows.",
    # Origin
    "title_origin": "Versions and digests",
    "origin_what": "What",
    "origin_value": "Version or SHA-256",
    "origin_digest": "The report is about the release whose files have these digests.",
    "origin_no_digest": (
        "The release was not read from files (it was drawn for this report, or handed over in memory), so there are no "
        "digests. A release that the same plan writes later has draws of its own."
    ),
    # Charts
    "chart_highest": "surest link",
    "chart_average": "link on average",
    "chart_before": "original",
    "chart_after": "release",
    "chart_original": "original",
    "chart_released": "released",
    "chart_reconstructed": "reconstructed",
    "chart_difference": "difference",
    "chart_below k": "below k",
    "chart_k or more": "k or more",
    "chart_or_more": " or more",
    "chart_rows in a class": "rows in a class",
    "chart_share of rows": "share of rows",
    "chart_probability of a right guess": "probability of a right link",
    "chart_share of the risk": "share of the risk",
}
