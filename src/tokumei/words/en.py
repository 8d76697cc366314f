"""What the library says in English: one sentence for each key, the same keys and parameters in every language."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.words.forms.en import FORMS

WORDS: Mapping[str, str] = {
    "unknown.unknown": "made by a newer version: {unknown}",
    "raw.raw": "{text}",
    "raw.message": "{text}",
    "this_assumes": "This assumes:",
    # Notions
    "notion.Pk-anonymity": "Pk-anonymity",
    "notion.sampling anonymity": "sampling anonymity",
    "notion.differential privacy": "differential privacy",
    "notion.local differential privacy": "local differential privacy",
    "notion.central differential privacy": "central differential privacy",
    "notion.k-anonymity": "k-anonymity",
    "notion.k-anonymity with wildcards": "k-anonymity with wildcards",
    "notion.probabilistic k-anonymity": "probabilistic k-anonymity",
    "notion.l-diversity": "l-diversity",
    "notion.t-closeness": "t-closeness",
    "notion.delta-disclosure privacy": "δ-disclosure privacy",
    "notion.beta-likeness": "β-likeness",
    "notion.enhanced beta-likeness": "enhanced β-likeness",
    "notion.(alpha, k)-anonymity": "(α, k)-anonymity",
    "notion.k-map": "k-map",
    "notion.delta-presence": "δ-presence",
    # Attackers: the subject of a sentence
    "attacker.whole_table": "No attacker, whatever they know about the original table,",
    "attacker.whole_table.secret": (
        "No attacker, whatever they know about the original table, who does not know which people were sampled"
    ),
    "attacker.whole_table.known": "No attacker, whatever they know about the original table and about who was sampled,",
    "attacker.learns_nothing_from": "No attacker who learns nothing from {columns}",
    "attacker.learns_nothing_from.secret": (
        "No attacker who learns nothing from {columns} and does not know which people were sampled"
    ),
    "attacker.learns_nothing_from.known": "No attacker who learns nothing from {columns}, even one who knows who was sampled,",
    "attacker.knows_only": "No attacker who knows only {columns} about a person",
    "attacker.knows_records": (
        "No attacker who knows the records of {known} of the {people} people, but not which people were sampled,"
    ),
    "attacker.knows_population": (
        "No attacker who knows {columns} of all {people} people in the population, but not which of them are in the table,"
    ),
    "attacker.knows_all_but_one": (
        "No attacker who knows everything about the original table and everyone's group, except the values of one column,"
    ),
    "attacker.knows_others": "No attacker, even one who knows every other row of the original table,",
    "attacker.anyone": "No attacker, whatever they know,",
    # Promises
    "promise.not_checked": "Not checked by this version; made by a newer version: {key}",
    "unit.person": "a person",
    "unit.household": "a household",
    "promise.linking": (
        "{attacker} links a released row to {someone} with probability over 1/{value} ({notion}, {letter} = {value})."
    ),
    "promise.cell_linking": (
        "{attacker} links a released value of that column to {someone} with probability over 1/{value} ({notion}, {letter} = {value})."
    ),
    "promise.agreement": (
        "Every released row agrees with at least {value} rows, itself included, if a suppressed cell is taken to agree with "
        "any value ({notion}, {letter} = {value})."
    ),
    "promise.diversity.distinct": (
        "An attacker who knows only {columns} about a person is left with at least {value} distinct values of {column:name} "
        "({notion}, {letter} = {value})."
    ),
    "promise.diversity.entropy": (
        "An attacker who knows only {columns} about a person is left with values of {column:name} as diverse as {value} equally "
        "frequent ones, or more (entropy {notion}, {letter} = {value})."
    ),
    "promise.diversity.recursive": (
        "For an attacker who knows only {columns} about a person, the values of {column:name} are recursively ({c}, {value})-diverse "
        "({notion}, {letter} = {value})."
    ),
    "promise.closeness.equal": (
        "For an attacker who knows only {columns} about a person, the distribution of {column:name} is within {value} of that in the "
        "whole release (total variation; {notion}, {letter} = {value})."
    ),
    "promise.closeness.ordered": (
        "For an attacker who knows only {columns} about a person, the distribution of {column:name} is within {value} of that in the "
        "whole release (earth mover's distance on ranks; {notion}, {letter} = {value})."
    ),
    "promise.closeness.hierarchical": (
        "For an attacker who knows only {columns} about a person, the distribution of {column:name} is within {value} of that in the "
        "whole release (earth mover's distance on the hierarchy; {notion}, {letter} = {value})."
    ),
    "promise.bounded_disclosure": (
        "Knowing {columns} about a person makes no value of {column:name} more or less likely by a factor over e^{value} "
        "({notion}, {letter} = {value})."
    ),
    "promise.bounded_gain": (
        "Knowing {columns} about a person raises the share of no value of {column:name} by more than {value} times that share "
        "({notion}, {letter} = {value})."
    ),
    "promise.bounded_gain_or_log": (
        "Knowing {columns} about a person raises the share q of no value of {column:name} by more than min({value}, -ln q) times that share "
        "({notion}, {letter} = {value})."
    ),
    "promise.bounded_share": (
        "An attacker who knows only {columns} about a person finds no value of {column:name} with a share over {value} among the rows that "
        "may be theirs ({notion}, {letter} = {value})."
    ),
    "promise.bounded_share.values": (
        "An attacker who knows only {columns} about a person finds none of the values {values} of {column:name} with a share over {value} "
        "among the rows that may be theirs ({notion}, {letter} = {value})."
    ),
    "promise.presence": (
        "An attacker who knows {columns} of all {people} people in the population believes that any one of them is in the table with a "
        "probability between {least} and {value} ({notion}, {letter} = {value})."
    ),
    "promise.row_epsilon": (
        "Whatever is released for {columns} of a person is at most e^{value} times as likely as it would be for any other true "
        "values ({notion}, {letter} = {value})."
    ),
    "promise.rates_epsilon": (
        "The published frequencies of {columns} are at most e^{value} times as likely as they would be if one person's record were "
        "another ({notion}, {letter} = {value})."
    ),
    "promise.joint_epsilon": (
        "All releases together are at most e^{value} times as likely as they would be if one person's record were another "
        "({notion}, {letter} = {value})."
    ),
    "promise.central_epsilon": (
        "{attacker} learns much about one person's record: whatever is released is at most e^{value} times as likely as it would "
        "be with any other record, up to a probability of {delta:g} ({notion}, {letter} = {value}, δ = {delta:g})."
    ),
    "promise.joint_central_epsilon": (
        "{attacker} learns much about one person's record from all releases together: whatever they contain is at most e^{value} times "
        "as likely as it would be with any other record, up to a probability of {delta:g} ({notion}, {letter} = {value}, δ = {delta:g})."
    ),
    # The ladder: what is promised against every kind of attacker
    "rung.linked": "{attacker} links a released row to {someone} with probability over 1/{k}.",
    "rung.linked_cell": "{attacker} links a released value of that column to {someone} with probability over 1/{k}.",
    "rung.linked_alike": (
        "Against attackers who know the whole original table, k = {k}: they link a released row to {someone} with probability 1/{k} at "
        "most, since every released row is one of at least {rows} that are the same in every released column (counted)."
    ),
    "rung.linked_in_classes": (
        "Against attackers who also know {columns}, k = {k}: they link a released row to {someone} with probability 1/{k} at most, since "
        "the smallest class of rows that agree in {columns:|it|them} has {rows:row|rows} (counted)."
    ),
    "rung.told_apart": (
        "Against attackers who also know {columns}, k = 1: some released row is the only one with its values, and can be linked with "
        "certainty (counted)."
    ),
    "rung.shares": (
        "{attacker} believes a value of {column:name} with probability over {largest}. In its equivalence class the most frequent value "
        "has {average} of the rows on average, against {overall} in the whole release; {agreed} of the rows are in classes with one value only."
    ),
    "rung.shares.certain": (
        "Attackers who know the quasi-identifiers of a person are certain of {column:name} for {agreed} of the rows: they are in equivalence "
        "classes with one value only. The most frequent value of a class has {average} of its rows on average, against {overall} in the whole "
        "release ({largest} at most)."
    ),
    "rung.from_share": (
        "{attacker} believes a value of {column:name} with probability over {belief}. The most frequent value has a share of {share}, "
        "and the odds of a value grow by a factor of at most {factor}."
    ),
    "rung.from_even": (
        "{attacker} multiplies the odds of a value of {column:name} by more than {factor} (ε = {epsilon}): a belief of 50% becomes at "
        "most {belief}."
    ),
    "rung.from_even.delta": (
        "{attacker} multiplies the odds of a value of {column:name} by more than {factor} (ε = {epsilon}, δ = {delta}): a belief of 50% "
        "becomes at most {belief}."
    ),
    "rung.differenced.table": (
        "{attacker} sees a release that is more than e^{epsilon} times as likely as if the last row were another, except with "
        "probability {delta} (ε = {epsilon}, δ = {delta})."
    ),
    "rung.differenced.row": (
        "{attacker} sees a release that is more than e^{epsilon} times as likely as if the last row were another (ε = {epsilon}, by the "
        "noise of the row alone)."
    ),
    "rung.drawn": (
        "{attacker} believes of anyone in the original table that they were sampled with probability over {belief}; before, it is {prior}."
    ),
    "rung.one_of_them": (
        "{attacker} multiplies the odds that a person is in the table, and not someone else in their place, by more than {factor} "
        "(ε = {epsilon}, δ = {delta}): a belief of 50% becomes at most {belief}."
    ),
    "rung.present": (
        "Of the {people} people of the population, each is in the table with a probability between {smallest} and {largest}, for "
        "attackers who know their quasi-identifiers (δ-presence, counted)."
    ),
    "rung.before": "Before anything is released, a person of the population of {people} is in the table with probability {prior}.",
    "rung.present_as_stated": "{attacker} believes of anyone in the population that they are in the table with probability under {smallest} or over {largest} (δ-presence).",
    "rung.in_sample": (
        "Of the {people} people in the original table, each is in the release with a probability between {smallest} and {largest}, for "
        "attackers who know their quasi-identifiers (δ-presence, counted)."
    ),
    "rung.nothing_kept": "Nothing: {columns} {columns:|is|are} released unchanged, so the difference to the other rows shows the last one's.",
    "rung.nothing_looked": (
        "Nothing: labels, groups or suppressed records were chosen by looking at all rows, so a known rest may show the last row."
    ),
    "rung.nothing_swapped": (
        "Nothing: values were exchanged within groups that are not published, and all of a group that has one value of {column:name} has it for certain."
    ),
    "rung.nothing_unchanged": "Nothing: the rows are released unchanged, so a known row is recognized.",
    "rung.nothing_observed": "Nothing: domains or noise were chosen by looking at the rows, so no ε holds.",
    "rung.nothing_stated": "Nothing: the release states no ε.",
    "rung.nothing_certain": "Nothing: the noise rules out some values of {column:name}, so what is released can be certain.",
    "rung.nothing_in_boxes": (
        "Nothing: {column:name} was perturbed within boxes that were chosen by looking at the rows, and the box of a row is public."
    ),
    "rung.nothing_of_all_rows": "Nothing as yet: only some of the rows were looked at, and this depends on all of them.",
    "rung.nothing_called_sensitive": "Nothing: no released column has the role 'sensitive', so none was looked at.",
    "rung.nothing_in_blocks": "Nothing: rows were shuffled within blocks only, and how {columns} {columns:|is|are} spread over them is not public.",
    "rung.nothing_of_presence": "Nothing: every row of the table was used, and nothing hides who is in it.",
    "rung.nothing_in_strata": "Nothing: how many people each stratum or class has is not public, so no bound follows.",
    "rung.nothing_of_people": "Nothing: people have several rows, each of which may show that they are there.",
    "rung.nothing_of_people.household": "Nothing: households have several rows, each of which may show that they are there.",
    "rung.original_as_it_is": "The original table promises nothing.",
    "rung_assumption.only_shuffle_secret": "The order of the released rows is random and secret. Nothing else has to be: the attacker may know the method and all its choices.",
    "rung_assumption.one_row_in_release": "A person has at most {most:row|rows} in the release.",
    "rung_assumption.one_row_in_release.household": "A household has at most {most:row|rows} in the release.",
    "rung_assumption.classes_tell_nothing": (
        "How equivalence classes were formed tells nothing about {columns}, and what is learned is an equal value: numbers that are "
        "merely close count as different."
    ),
    "rung_assumption.classes_judged": (
        "Classes were formed by looking at the sensitive column too. An attacker who knows the method might learn from what it avoided."
    ),
    "rung_assumption.others_of_person_known": (
        "The attacker knows the person's other columns, or these tell nothing about {column:name}. Otherwise the ε of these columns is added."
    ),
    "rung_assumption.except_delta": "It may fail with probability {delta}.",
    "rung_assumption.pseudonym_key_secret": "The key of {columns} stays secret, so that pseudonyms tell the attacker nothing.",
    "rung_assumption.population_complete": "The population has everyone in it, generalized like the release.",
    # Recommendations
    "recommend.title": "Which method, which k, and can I defend it?",
    "recommend_title.answer": "Recommendation",
    "recommend_title.ranking": "Ranking",
    "recommend_title.rungs": "What each method promises against every kind of attacker",
    "recommend_title.choice": "What the choice itself reveals",
    "recommend_title.approval": "Paragraph for the approval file",
    "recommend_title.impossible": "Not tried, or not possible",
    "recommend.method": "Method",
    "recommend.meets": "Meets the duties",
    "recommend.yes": "yes",
    "recommend.no": "no",
    "recommend.score": "Score of the model",
    "recommend.released_rows": "Rows released",
    "recommend.seconds": "CPU seconds",
    "recommend.on_all_rows": "(all rows)",
    "recommend_side.released": "Loss as released",
    "recommend_side.reconstructed": "Loss after reconstruction",
    "recommend_side.expected": "Expected loss",
    "recommend.special": "({special})",
    "recommend_special.all": "(every row tells every column)",
    "recommend_special.known": "(columns released unchanged taken to be known)",
    "recommend_special.perturb": "(every column perturbed)",
    "recommend_purpose.tables": "tables of two columns",
    "recommend_purpose.model": "a model of {target:name}",
    "recommend_purpose.records": "records that look like the original ones",
    "recommend.duty": "{name} at most {allowed}",
    "recommend.line_asked": "Asked: {duties}; ranked by {purpose}.",
    "recommend.asked": "The release must hold to these duties: {duties}. It is meant for {purpose}.",
    "recommend.promises": "Against each kind of attacker it leaves at most: {rungs}.",
    "recommend.survives": (
        "The methods were tried on the table itself, so which one was chosen depends on the rows, and the release discloses this. Guarantees about linking "
        "hold whichever was chosen: Pk-anonymity and probabilistic k-anonymity hold for each table by itself, against attackers who know the columns that they are about and so may know "
        "the choice; k-anonymity and what is asked of equivalence classes are counted on the released rows. What the choice takes away: no epsilon is stated, because "
        "epsilon compares tables that differ in one person, between which the choice may differ. Where a guarantee takes columns to be unknown to the attacker, or "
        "counts on what they do not know about others (sampling), that assumption now includes what the choice of one among {tried} methods tells about them."
    ),
    "recommend.covers": (
        "The choice follows from the number of rows, the declared columns, the duties and the purpose alone. It would be the same for every table of "
        "this size, so it reveals nothing, and every guarantee holds as stated, epsilon included."
    ),
    "recommend.by_hand": (
        "If you choose another method from this page, you have looked at the rows too: keep the section [chosen] in the plan, so that the release says so."
    ),
    "recommend.rungs_how": (
        "Each number is the largest probability, or ε, that the attacker of that kind is left with: proved from the mechanism, counted on the released rows, or "
        "nothing. ✓ and ✗ mark the duties."
    ),
    "recommend_how.tables": (
        "Loss: the mean total variation between tables of two columns and those of the original (0 identical, 1 nothing in common). The best view of each "
        "method counts."
    ),
    "recommend_how.model": (
        "Loss: how much the score of a model from the release is below that of a model from the original, on original rows (accuracy, or R² for numbers). The best "
        "view of each method counts."
    ),
    "recommend_how.records": (
        "Loss: how well rows can be told from original ones by a logistic model (pMSE as a share of the worst; 0 not at all). After reconstruction, completed rows "
        "are compared. The best view of each method counts."
    ),
    "recommend_how.expected": "Loss: the error of tables that public numbers lead to expect after reconstruction, in total variation.",
    "recommend.loses_least": "Recommended: {method}. Of {tried} methods that were tried, {meeting} meet the duties, and of these it loses least.",
    "recommend.only_one": "Recommended: {method}. Of {tried} methods that were tried, it is the only one that meets the duties.",
    "recommend.promises_nothing": (
        "It promises nothing against attackers that the duties do not name: {rungs}. If one of these matters, add it to the duties: another method may then be recommended."
    ),
    "recommend.costs.tables": "Tables of two columns are off by {lost:.3f} on average (total variation).",
    "recommend.costs.model": "A model from the release scores {score:.3f} on original rows, {lost:.3f} less than one from the original.",
    "recommend.no_worse": "A model from the release scores {score:.3f} on original rows, no less than one from the original ({more:.3f} more).",
    "recommend.costs.records": "Its rows can be told from original ones with {lost:.3f} of the largest pMSE.",
    "recommend.costs.expected": "Tables are expected to be off by {lost:.3f} after reconstruction (total variation, from public numbers).",
    "recommend.next_is": "The runner-up is {method}, which loses {more:.3f} more.",
    "recommend.next_to_nothing": (
        "That is next to nothing left. What would help: fewer columns, coarser domains, a weaker duty, or more rows."
    ),
    "recommend.hardly_left": "Hardly anything would be left of {columns}: suppressed in nearly every row. Coarser values, by a hierarchy or a recode step, would say more.",
    "recommend.none_meets": "No method meets these duties; {tried} were tried.",
    "recommend.nearest_met": "The nearest duties that can be met are: {duties} (by {method}).",
    "recommend.nothing_near": "None comes near on every rung. Ask for less, or take columns out.",
    "recommend.looked.all": "The methods were tried on all {rows:,} rows.",
    "recommend.looked.sample": (
        "The methods were ranked on a random sample of {rows:,} of the {of:,} rows; on all rows methods usually lose less."
    ),
    "recommend.not_looked": "The choice follows from public numbers alone; the rows were not looked at for it.",
    "recommend.confirmed": "The recommended method was then drawn on all {rows:,} rows, and the duties hold there.",
    "recommend.enforced": "The duties are part of what the method is asked for: a release of all rows that did not hold them would be refused.",
    "recommend.compiled_for": "Compiling took {seconds} s of CPU on this first run; it is no method's cost, and the next run does without it.",
    "recommend.needs_known": "not tried: it needs to be said how many people an attacker knows (known, --known).",
    "recommend.needs_categories": "not tried: it changes categories only; recode {columns} first.",
    "recommend.needs_more": "not tried: it cannot be made from a k alone.",
    "recommend.wrote": "Wrote {files}. Read the page, then run: {command}",
    "recommend.wrote_no_plan": "Wrote {files}. There is no plan, because no method meets the duties.",
    "recommend.holder_only": "These files are for the data holder only: they say things about the original.",
    "mend.as_it_was": "As it is now",
    "mend.diversify": "Ask for {different} distinct values of {column:name} in every class",
    "mend.close": "Ask for classes within {t} of the whole table in {column:name} (t-closeness)",
    "mend.count_kept": 'Take {columns} to be known, and add the noise that this needs (kept = "known")',
    "mend.perturb_kept": 'Perturb {columns} too (kept = "perturb")',
    "mend.bound_epsilon": 'Perturb every column until ε = {epsilon} holds against those who know all other rows (kept = "perturb")',
    "mend.perturb_all": 'Perturb every column instead (pk_perturbation, k = {k}, kept = "perturb")',
    "mend.take_sample": "Release a sample of {share:.0%} of the rows",
    "mend.raise_k": "Ask for k = {k}",
    "mend.top_code": "Top-code {column:name} at {high}",
    "mend.leave": "Leave out {column:name}",
    "mend.title": "Changes that were tried on this table",
    "mend.change": "Change",
    "mend.loss": "Loss",
    "mend.impossible": "not possible",
    "mend.legend": (
        "Loss: how far tables of two columns are off on average (total variation), after the noise was taken out. ✓: the change mends this rung."
    ),
    "mend.none": "There is nothing to mend, or no change to try.",
    "mend.line": "{place} {change}: {mend} {loss}",
    "mend.in_plan": "In the plan: {lines}",
    "ladder.title": "What is promised against whom",
    "ladder.rung": "Against",
    "ladder.original": "Original",
    "ladder.release": "Release",
    "ladder.how": "How",
    "ladder.none": "no bound",
    "ladder.proved": "proved",
    "ladder.counted": "counted",
    "ladder.nothing": "nothing",
    "ladder.name.linking": "Linking by quasi-identifiers",
    "ladder.name.whole_table": "Linking by the whole table",
    "ladder.name.inference": "Inference",
    "ladder.name.differencing": "Differencing",
    "ladder.name.membership": "Membership",
    "ladder.who.linking": "those who know the quasi-identifiers of people; the number bounds the probability of a correct link.",
    "ladder.who.whole_table": "those who know the whole original table; the number bounds the probability of a correct link.",
    "ladder.who.inference": "those who infer a sensitive value without any link; the number bounds how strongly a value is believed.",
    "ladder.who.differencing": "those who know every other row; ε bounds how much the last row can change the release.",
    "ladder.who.membership": "those who ask whether somebody is in the table at all; the number bounds how strongly it is believed.",
    "ladder.duty.holds": "{name}: {value}, allowed {allowed}: holds.",
    "ladder.duty.fails": "{name}: {value}, allowed {allowed}: does not hold.",
    "ladder.assumes": "What each assumes",
    "ladder.lower": "Lower numbers are safer. 100% means that nothing is promised.",
    "ladder.chart": "largest probability, or belief",
    # What is assumed, people and their rows
    "assumption.one_row": "Each person has one row in the table.",
    "assumption.most_rows.declared": "No person has more than {most:row|rows} in the table, as declared and checked.",
    "assumption.most_rows.counted": "No person has more than {most:row|rows} in the table, as counted in the data.",
    "assumption.most_rows.declared.household": "No household has more than {most:row|rows} in the table, as declared and checked.",
    "assumption.most_rows.counted.household": "No household has more than {most:row|rows} in the table, as counted in the data.",
    "assumption.any_of_their_rows.household": (
        "A link is correct if the released row comes from any of the household's rows. The guarantee therefore holds for each of its members."
    ),
    "assumption.all_rows_together.household": "It covers all rows of a household together, up to {most}.",
    "assumption.any_of_their_rows": "A link is correct if the released row comes from any of the person's rows.",
    "assumption.counted_on_rows": "Rows are counted, not people: a person with several rows in an equivalence class counts several times.",
    "assumption.columns_do_not_join": (
        "{columns}, released unchanged, {columns:|does|do} not reveal which rows belong to the same person or household. An attacker who can tell "
        "could intersect the equivalence classes of those rows."
    ),
    "assumption.all_rows_together": "It covers all rows of a person together, up to {most}.",
    # What is assumed, draws
    "assumption.secret_key": (
        "The random draws and the order of the rows stay secret. The key came from the operating system and was not kept."
    ),
    "assumption.seeded": "The draws come from a seed: nothing is promised against anyone who knows or guesses it.",
    "assumption.key_kept": (
        "The draws follow from a key that the data holder keeps (its public name is {name}), and repeat in other releases under it. The key "
        "and the order of the rows stay secret: nothing is promised against anyone who has the key."
    ),
    # What is assumed, what attackers know
    "assumption.observed_domains": (
        "The {columns:|domain|domains} of {columns} {columns:|was|were} read from the data and may reveal something about the rows."
    ),
    "assumption.declared_domains": "All domains were declared; none was read from the data.",
    "assumption.kept_unknown": (
        "{columns}, released unchanged, {columns:|tells|tell} the attacker nothing: they know neither a person's value nor how it "
        "relates to the other columns. Against an attacker who does, the guarantee is weaker or void."
    ),
    "assumption.kept_known": (
        "The attacker knows everyone's {columns}: a person hides among the rows with the same values."
    ),
    "assumption.others_unknown": (
        "The attacker knows nothing about {columns}, released unchanged. Anyone who does may tell the rows of an equivalence class "
        "apart."
    ),
    "assumption.no_other_columns": "The release has no other columns.",
    "assumption.prior_is_overall": (
        "The attacker knows {columns} about a person. About {column:name} they know only its distribution in the whole release."
    ),
    "assumption.no_value_known_unique": (
        "The attacker does not know that any value is unique in the whole table. Top- or bottom-code outliers first."
    ),
    "assumption.unique_rows_recognized": (
        "Nothing is promised against an attacker who knows everyone's records or who was sampled: they recognize every unique record."
    ),
    # What is assumed, what is not promised
    "assumption.linking_only": (
        "The guarantee is about linking rows to people. It does not limit what can be inferred about everyone, and it does not hide "
        "that someone is in the table."
    ),
    "assumption.class_linking_only": (
        "The guarantee limits linking only. If all rows of an equivalence class share a sensitive value, that value is learned without "
        "any link."
    ),
    "assumption.one_column_only": (
        "The guarantee covers each equivalence class and one sensitive column at a time. What other columns, released unchanged, reveal "
        "about it is not counted."
    ),
    "assumption.weaker_than_classes": (
        "This is weaker than k-anonymity: an attacker who knows the value behind a suppressed cell may be left with fewer rows."
    ),
    "assumption.cell_by_cell": "It covers the perturbed columns, row by row, and depends on neither the shuffle nor other rows.",
    "assumption.kept_without_epsilon": "It does not cover {columns}, released unchanged, for which ε is infinite.",
    "assumption.whole_release_shuffled": (
        "Every released column was perturbed, all rows were shuffled together, and neither the noise nor anything else in the release "
        "was chosen by looking at the data."
    ),
    "assumption.rows_are_public": "The number of rows is public. What is compared is a person's record with another in its place.",
    "assumption.sample_is_secret": "Which {rows} of the {of} rows were drawn stays secret.",
    "assumption.rates_alone": "It covers these frequencies only, and nothing else in the release.",
    "assumption.rates_add_up": "The number of rows is public. Publishing further frequencies of the same people adds their ε.",
    "assumption.true_rates": (
        "The exact frequencies of {columns} are published, with values in fewer than k rows pooled. They link no row to a person, but "
        "they narrow down what generalized cells may stand for."
    ),
    # What is assumed, what follows from the rows
    "assumption.chosen_from_rows": (
        "What was done depends on the rows. An attacker who knows how it was chosen may learn something from the choice."
    ),
    "assumption.labels_of_earlier": (
        "The labels come from an earlier release and do not depend on these rows. Which rows are suppressed does, and an attacker who "
        "knows the rule may learn something from it."
    ),
    "assumption.this_release_alone": (
        "The guarantee covers this release alone. A person who is also in the earlier release has an equivalence class in each, and "
        "fewer than k people may be in both."
    ),
    "assumption.rare_rows.suppressed": (
        "The quasi-identifiers of {rows:row|rows} are suppressed because too few rows were like {rows:|it|them}. The data are not "
        "missing at random: estimates without {rows:|this row|these rows} do not describe everyone."
    ),
    "assumption.rare_rows.left_out": (
        "{rows:row was|rows were} left out because too few rows were like {rows:|it|them}. The data are not missing at random: estimates "
        "without {rows:|this row|these rows} do not describe everyone."
    ),
    "assumption.rare_cells": (
        "Cells are suppressed because too few rows were like theirs. The data are not missing at random: estimates from the other "
        "cells do not describe everyone."
    ),
    "assumption.sample_size_by_chance": (
        "The sample size was random. Parameters were solved for a size exceeded with probability at most {delta}; the guarantee stated "
        "is for the size actually drawn."
    ),
    "assumption.hiding": "A person hides among at least {rows:row|rows}.",
    "assumption.hiding.not_drawn": "A person hides among at least {rows:row|rows}, {not_drawn} of them not sampled.",
    "assumption.hiding.own": "Everyone hides among at least {rows:row|rows}, up to {own} of them their own.",
    "assumption.hiding.not_drawn.own": (
        "Everyone hides among at least {rows:row|rows}, {not_drawn} of them not sampled and up to {own} their own."
    ),
    "assumption.hiding_in_group": "A person hides among at least the {rows:row|rows} of a group.",
    "assumption.hiding_in_group.own": "Everyone hides among at least the {rows:row|rows} of a group, up to {own} of them their own.",
    "assumption.hiding_in_group.not_drawn": "A person hides among at least the {rows:row|rows} of a group, {not_drawn} of them not sampled.",
    "assumption.hiding_in_group.not_drawn.own": (
        "Everyone hides among at least the {rows:row|rows} of a group, {not_drawn} of them not sampled and up to {own} of them their own."
    ),
    "assumption.hiding_in_group.classes.not_drawn": (
        "A person hides among at least the {rows:row|rows} of a group that agree in the columns released unchanged, {not_drawn} of them "
        "not sampled."
    ),
    "assumption.hiding_in_group.classes.not_drawn.own": (
        "Everyone hides among at least the {rows:row|rows} of a group that agree in the columns released unchanged, {not_drawn} of them "
        "not sampled and up to {own} of them their own."
    ),
    "assumption.hiding_in_group.classes": (
        "A person hides among at least the {rows:row|rows} of a group that agree in the columns released unchanged."
    ),
    "assumption.hiding_in_group.classes.own": (
        "Everyone hides among at least the {rows:row|rows} of a group that agree in the columns released unchanged, up to {own} of them "
        "their own."
    ),
    "assumption.grouped_by_rows.values": (
        "Rows were grouped by looking at them. The bounds of each group are values of its rows, and are published with its size."
    ),
    "assumption.grouped_by_rows.rounded": (
        "Rows were grouped by looking at them. The bounds of each group, rounded outward, are published with its size."
    ),
    "assumption.grouped_by_rows.partly": (
        "Rows were grouped by looking at them. The bounds of each group are published with its size: rounded outward in {rounded}, and "
        "values of its rows in the other columns."
    ),
    "assumption.grouped_by_rows.values.labels": (
        "Rows were grouped by looking at them. The bounds of each group are values of its rows, and are published with its size. "
        "The labels that occur in each group are published for {labels}."
    ),
    "assumption.grouped_by_rows.rounded.labels": (
        "Rows were grouped by looking at them. The bounds of each group, rounded outward, are published with its size. The labels "
        "that occur in each group are published for {labels}."
    ),
    "assumption.grouped_by_rows.partly.labels": (
        "Rows were grouped by looking at them. The bounds of each group are published with its size: rounded outward in {rounded}, and "
        "values of its rows in the other columns. The labels that occur in each group are published for {labels}."
    ),
    "assumption.grouped_by_rows.labels": (
        "Rows were grouped by looking at them. The labels that occur in each group are published with its size."
    ),
    "assumption.group_shows_kept": (
        "An attacker who knows a person's group sees the columns released unchanged in its rows. Where all of them agree, the attacker "
        "knows the person's value."
    ),
    "assumption.left_out_do_not_count": "The {rows:row|rows} left out {rows:|does|do} not count.",
    "assumption.pilot_of_others": (
        "The noise was shared among the columns using a pilot of other people. Its rows were compared with the table and agree no more "
        "often than those of independent people. That nobody is in both is assumed."
    ),
    # What is assumed, identifiers
    "assumption.swapped_values_are_true": (
        "Every released value of {columns} is the true value of someone in the same group of similar rows. What everyone in a group has in common is "
        "learned, and a rare value shows that someone has it."
    ),
    "assumption.swapped_unknown": (
        "{columns}, swapped too, {columns:|tells|tell} the attacker nothing: they know neither a person's value nor how it relates to the "
        "quasi-identifiers. Anyone who does may tell whose value it is."
    ),
    "assumption.private_groups": (
        "Rows were grouped by their quasi-identifiers, at least {rows} to a group. The groups are not published, so reading the release cannot count "
        "them again."
    ),
    "assumption.population_has_everyone": (
        "The population of {people} people contains everyone in the table, each person once and with the same values of {columns}."
    ),
    "assumption.every_world_as_likely": (
        "To the attacker, all ways in which the rows can belong to different people of the population are equally likely. They do not know who "
        "is in the table, and how equivalence classes were chosen tells them nothing."
    ),
    "assumption.population_not_released": (
        "The data holder counted this in the population, which is not part of the release. Reading the release does not count it again: it "
        "checks only that the number is possible."
    ),
    "assumption.key_names_rows": "{column:name} is a pseudonym: nothing is promised against anyone who has its key.",
    "assumption.same_key_joins": (
        "Releases whose pseudonyms {column:name} share a key can be joined row by row. Each keeps its guarantee only on its own."
    ),
    "assumption.same_person_same_pseudonym": (
        "A person with several rows has the same pseudonym {column:name} in each, so their rows can be joined. Guarantees about rows hold "
        "for people with one row."
    ),
    "assumption.shown_characters": (
        "{column:name} shows some characters of an identifier. An attacker who knows them can narrow down a person's row."
    ),
    # What is assumed, several releases
    "assumption.same_people_only": "The releases cover the same people, and there is no other release of them.",
    "assumption.each_alone": (
        "Each release counts on its own: an attacker who knows the table learns nothing about one from another."
    ),
    "assumption.joined_by": "The attacker joins rows by {columns}, released unchanged.",
    "assumption.joined_by.other_people": (
        "The attacker joins rows by {columns}. The releases do not hold the same people, which tells some of them apart."
    ),
    "assumption.joined_by.groups": (
        "The attacker joins rows by {columns}. Groups of two releases may have only one person in common."
    ),
    "assumption.joined_by.blocks": (
        "The attacker joins rows by {columns}. Blocks of two releases may have only one person in common."
    ),
    "assumption.patterns_granted": (
        "The attacker is granted which rows belong to the same person, and when each person joined, left, or had a value that changed. "
        "This tells {patterns:pattern|patterns} of people apart; where the guarantee is weakest, {fewest:person shares|people share} one."
    ),
    "assumption.patterns_uncounted": (
        "Draws repeat under the same key, and it was not counted how many people changed, joined or left: somebody may be the only one, "
        "so nothing is promised. The data holder can count them with tk.disclosure.repeats."
    ),
    "assumption.same_pattern": (
        "It compares people whose values stay and change at the same releases. When a value changed, and when a person joined or left, is "
        "not protected."
    ),
    "assumption.only_under_key": "These {releases} releases are all that were made under the key, and there is no other release of these people.",
    # Reasons for disclosing a fact
    "reason.rates_for_learning": (
        "The data holder publishes how often values occur, so that analysts can weight the values that a generalized cell may stand for."
    ),
    "reason.marginals_in_matrix": "The matrix of invariant PRAM is built from these frequencies and reveals them.",
    "reason.strata_weights": "Estimates from the sample need these counts to weight its strata.",
    "reason.hiding_places.classes": "The guarantees depend on these counts, because the attacker is assumed to know {columns}.",
    "reason.hiding_places.strata": "The guarantees depend on these counts, because people hide within their strata.",
    "reason.rows_counted": "The guarantees depend on the largest number of rows of one person or household, which was counted in the data.",
    "reason.levels_from.holder": "The data holder chose the levels, and may have looked at the rows.",
    "reason.levels_from.rows": "The levels were chosen from the rows to lose the least information.",
    "reason.labels_from.earlier": "The labels come from an earlier release and were not chosen from these rows.",
    "reason.labels_from.groups": "The labels come from groups of rows, so they reveal where in the domain rows lie.",
    "reason.partition_from.tried": "Of the partitions tried on the rows, this one lost the least information.",
    "reason.partition_from.engine": "The Spark engine groups rows this way.",
    "reason.partition_from.sizes": "It was picked from the numbers of rows, columns and levels, and k.",
    "reason.rare_rows_count.suppressed": "This many rows are suppressed because too few rows were like them: not missing at random.",
    "reason.rare_rows_count.left_out": "This many rows were left out because too few rows were like them: not missing at random.",
    "reason.split_from.rows": "The weights were chosen by looking at the released rows.",
    "reason.split_from.shared_pilot": (
        "The weights were chosen using a pilot that shares more rows with the table than independent people would, so they count as "
        "chosen from the released rows."
    ),
    "reason.split_from.uncompared_pilot": (
        "The weights were chosen using a pilot that was not compared with the table, so they count as chosen from the released rows."
    ),
    "reason.swapped_within": (
        "Values were exchanged within groups of similar rows. The groups follow from the rows and stay private, so this cannot be undone."
    ),
    "reason.group_averages": "Every cell is an average over a group of rows. The groups stay private, so this cannot be undone.",
    "reason.group_boxes.values": (
        "Rows were grouped by looking at them. The bounds of each group are values of its rows, and are published with its size."
    ),
    "reason.group_boxes.rounded": (
        "Rows were grouped by looking at them. The bounds of each group, rounded outward, are published with its size."
    ),
    "reason.group_boxes.partly": (
        "Rows were grouped by looking at them. The bounds of each group are published with its size: rounded outward in {rounded}, and "
        "values of its rows in the other columns."
    ),
    "reason.group_boxes.values.labels": (
        "Rows were grouped by looking at them. The bounds of each group are values of its rows, and are published with its size. "
        "The labels that occur in each group are published for {labels}."
    ),
    "reason.group_boxes.rounded.labels": (
        "Rows were grouped by looking at them. The bounds of each group, rounded outward, are published with its size. The labels "
        "that occur in each group are published for {labels}."
    ),
    "reason.group_boxes.partly.labels": (
        "Rows were grouped by looking at them. The bounds of each group are published with its size: rounded outward in {rounded}, and "
        "values of its rows in the other columns. The labels that occur in each group are published for {labels}."
    ),
    "reason.group_boxes.labels": (
        "Rows were grouped by looking at them. The labels that occur in each group are published with its size."
    ),
    "reason.cells_from_rows": "Which cells are suppressed depends on the rows: too few were like theirs.",
    "reason.smallest_class": "The size of the smallest equivalence class was counted.",
    "reason.domains_from.rows": "The domain, or the hierarchy over it, was read from the data and not declared.",
    "reason.domains_from.recoding": "The labels of generalized columns depend on how the rows were generalized.",
    "reason.domains_from.both": (
        "The domain, or the hierarchy over it, was read from the data and not declared. The labels of generalized columns depend on how "
        "the rows were generalized."
    ),
    "reason.learned_hierarchy": "The labels of generalized columns come from a hierarchy learned from rows.",
    "reason.calibration_totals": (
        "The data holder publishes these weighted totals (weights: {weights:name}) exactly, so that the weights of released rows can be raked to them. They tell nothing about "
        "which row is whose to attackers who know the table; no epsilon is stated, because it would not cover them."
    ),
    "reason.chosen_from_rows": (
        "The method was chosen by trying several on this table, so which one it is depends on the rows. No epsilon is stated, because "
        "it would not cover that choice. Guarantees about linking hold whichever method was chosen; columns that they take to be unknown must stay so in "
        "spite of what the choice tells about them."
    ),
    "reason.derived": "It follows from facts about the data that are disclosed here.",
    # What happens to a value
    "treatment.as_it_is": "released unchanged",
    "treatment.suppressed_everywhere": "suppressed in every row",
    "treatment.recoded.none": "released unchanged",
    "treatment.recoded.none.or_suppressed": "released unchanged, or suppressed",
    "treatment.recoded.global": "generalized in the same way in every row",
    "treatment.recoded.global.or_suppressed": "generalized in the same way in every row, or suppressed",
    "treatment.recoded.disjoint": "generalized in groups of rows that do not overlap",
    "treatment.recoded.disjoint.or_suppressed": "generalized in groups of rows that do not overlap, or suppressed",
    "treatment.recoded.overlapping": "generalized in groups of rows that may overlap",
    "treatment.recoded.overlapping.or_suppressed": "generalized in groups of rows that may overlap, or suppressed",
    "treatment.averaged.mean": "the mean of a group of rows",
    "treatment.averaged.median": "the median of a group of rows",
    "treatment.swapped": "exchanged at random within a group of at least {least} similar rows",
    "treatment.averaged.mode": "the most frequent value in a group of rows",
    "treatment.what_is_told": "which columns the row tells",
    "treatment.told": "told by {share:.1%} of the rows, kept there with probability {lowest:.3f} to {highest:.3f} and otherwise replaced by any value; blank in the others",
    "treatment.told.coarser": "told by {share:.1%} of the rows, in coarser cells, kept there with probability {lowest:.3f} to {highest:.3f} and otherwise replaced by any cell; blank in the others",
    "treatment.told.always": "told by {share:.1%} of the rows, kept there with probability {lowest:.3f} and otherwise replaced by any value; blank in the others",
    "treatment.told.coarser.always": "told by {share:.1%} of the rows, in coarser cells, kept there with probability {lowest:.3f} and otherwise replaced by any cell; blank in the others",
    "treatment.group_number": "the number of the row's group",
    "treatment.told_in_group": (
        "told by some rows of each group, kept there or replaced by any value within the bounds of the group; blank in the others, unless the "
        "group has one value"
    ),
    "treatment.perturbed_in_group": "perturbed within the bounds of its group of rows",
    "treatment.constant": "has one possible value, which is released",
    "treatment.retained": "kept with probability {probability:.3f}, otherwise replaced by one of all {values} values at random",
    "treatment.uniform_on_grid": "replaced by one of its {points} grid points, all equally likely",
    "treatment.moved_on_grid": "moved on its grid of {points} points by bounded Laplace noise with scale {scale:.3g} × its range",
    "treatment.presence_flipped": (
        "made missing, or if missing replaced by a random grid point, with probability {probability:.3f}; a value that stays is {then}"
    ),
    "treatment.by_matrix": "released as one of {values:value|values} by a published matrix of probabilities (PRAM)",
    "treatment.kept_by_matrix": (
        "kept with probability {lowest:.3f} to {highest:.3f}, otherwise changed by a published matrix of probabilities (PRAM)"
    ),
    "treatment.moved_before.numbers": "{treatment}; values were first moved to a grid, by at most {distance:.3g}",
    "treatment.moved_before.day": "{treatment}; values were first moved to a grid, by less than {step:day|days}",
    "treatment.moved_before.hour": "{treatment}; values were first moved to a grid, by less than {step:hour|hours}",
    "treatment.moved_before.minute": "{treatment}; values were first moved to a grid, by less than {step:minute|minutes}",
    "treatment.moved_before.second": "{treatment}; values were first moved to a grid, by less than {step:second|seconds}",
    # Notes for the data holder
    "note.picked_engine.local": (
        "Engine: local. About {rows:row|rows} take some {takes:.1f} GB in memory, and {allowed:.1f} GB may be used."
    ),
    "note.picked_engine.stream": (
        "Engine: stream, on disk. About {rows:row|rows} would take some {takes:.1f} GB in memory, and {allowed:.1f} GB may be used."
    ),
    "note.picked_engine.spark": (
        "Engine: spark, whose session is running. About {rows:row|rows} would take some {takes:.1f} GB in memory, and {allowed:.1f} GB "
        "may be used."
    ),
    "note.grouped_by": "Partition: {partition:kind}. Mean loss per cell: {loss:.4f}. Suppressed: {suppressed} of {rows:row|rows}.",
    "note.labelled_as_earlier": (
        "Labels as in an earlier release. Mean loss per cell: {loss:.4f}. Suppressed: {suppressed} of {rows:row|rows}, {outside} of them "
        "outside every published box."
    ),
    "note.grouped_points": (
        "Partition: {partition:kind}, {groups:group|groups}. Within-group sum of squares: {within:.2f}% of the total, columns standardized."
    ),
    "note.swapped_groups": "Partition: {partition:kind}, {groups:group|groups} of {fewest} to {most:row|rows}, within which values were exchanged.",
    "note.least_within": "No groups of at least {k} rows have less than {least:.3f}%.",
    "note.least_within.constraints_aside": "No groups of at least {k} rows have less than {least:.3f}%, ignoring the constraints.",
    "note.medians_released": (
        "{columns} {columns:|is|are} not declared as a quantity, so medians are released, which are values that occur. Declare a "
        "quantity (quantity = true) where a mean makes sense."
    ),
    "note.suppressed_cells": "Suppressed: {suppressed:cell|cells} of {cells} ({each}).",
    "note.left_out": "Left out: {left_out} of {rows:row|rows}.",
    "note.pilot_shared": (
        "{shared} of the pilot's {rows:row|rows} are also in the table, more than independent people would share. The split therefore "
        "counts as chosen from the table, and no ε is stated."
    ),
    "note.more_than_asked": (
        "This keeps k = {k}, {more:.4g}% more than the {asked:g} asked for; whole-number weights for these columns come no closer."
    ),
    "note.stricter_binds.k": (
        "k = {k:g} asks for more noise than ε = {epsilon:g} with δ = {delta:g}, so the noise was solved for k, and both hold."
    ),
    "note.stricter_binds.epsilon": (
        "ε = {epsilon:g} with δ = {delta:g} asks for more noise than k = {k:g}, so the noise was solved for ε, and both hold."
    ),
    "note.perturbed_groups.equal": (
        "{groups:group|groups} of {most:row|rows}; {merged} merged. The noise in a cell is on average {noise:.2f} times what it would be "
        "without groups."
    ),
    "note.perturbed_groups.unequal": (
        "{groups:group|groups} of {fewest} to {most:row|rows}; {merged} merged. The noise in a cell is on average {noise:.2f} times what it "
        "would be without groups."
    ),
    "note.groups_tell": (
        "{groups:group|groups} of {fewest} to {most:row|rows}; {merged} merged. A row tells {columns:.1f} of the {varying:.1f} columns that "
        "vary in its group, on average, and keeps what it tells with probability {kept:.2f}."
    ),
    "note.rows_tell.equal": "Each row tells {most} of {columns:column|columns}, drawn at random from {clusters:combination|combinations}.",
    "note.rows_tell.unequal": (
        "Each row tells {fewest} to {most} of {columns:column|columns}, drawn at random from {clusters:combination|combinations}."
    ),
    "note.told_by_all": "Every row tells {columns}.",
    "note.told_in_cells": "Told in coarser cells, at most this many: {each}.",
    "note.expected_errors.one": (
        "Expect tables of one column to be off by about {one:.3f} after reconstruction (total variation, in the cells that are told)."
    ),
    "note.expected_errors.two": (
        "Expect tables of one column to be off by about {one:.3f} after reconstruction, and tables of two by about {two:.3f} (total "
        "variation, in the cells that are told)."
    ),
    "note.repeats_anyway": (
        "No unchanged column assumed to be unknown joins the rows of several releases, so independent draws would leave each release its "
        "own guarantee. Repeated draws show who changed between releases: a person who is the only one to change is found. They pay only "
        "if ε must not add up."
    ),
    "note.repeats_from_here": (
        "The noise was solved for this table. Give later releases like= this one: with other noise, every value is drawn anew and counts "
        "as changed."
    ),
    "note.never_together": (
        "No row tells two perturbed columns. Tables of two are estimated through columns that are released unchanged, or as if the two were "
        "independent."
    ),
    # How an attacker's beliefs were computed
    "beliefs.every_assignment": "exactly, over every assignment of rows to people",
    "beliefs.sinkhorn": "by Sinkhorn balancing over all people and rows",
    "beliefs.bethe": "by Bethe's approximation over all people and rows",
    "beliefs.without_strata": "without the sizes of the strata",
    "beliefs.in_groups": "group by group",
    # What was measured, and what could not be
    "measured.noted": "{what}: {why}",
    "measure.release": "Release",
    "measure.attack": "Attack",
    "measure.margins": "Weighted totals",
    "measure.collation": "Collation",
    "measure.utility": "Utility",
    "measure.original": "Original",
    "measure.released": "Released",
    "measure.other": "{name}",
    "measure.as_released": "As released",
    "measure.reconstructed": "After reconstruction",
    "measure.telling_rows_apart": "Telling rows apart",
    "measure.telling_drawn_rows_apart": "Telling imputed rows apart",
    "measure.learning_from_release": "Learning from the release",
    "measure.learning_after_reconstruction": "Learning after reconstruction",
    "problem.swapped_in_groups": (
        "{column:name} was exchanged within groups of rows that only the data holder knows, so how it goes together with other columns is lost "
        "there. Its own distribution is exact. Use the released cells as they are, or ask the data holder for a release by PkPerturbation or Generalization."
    ),
    "problem.averaged_over_groups": (
        "{column:name} was averaged over groups of rows that only the data holder knows, so it cannot be undone. Use the released cells as "
        "they are, or ask the data holder for a release by PkPerturbation or Generalization."
    ),
    "problem.groups_not_told": (
        "The release does not say who is in which group. Pass the method instead, and a release is drawn for the attack."
    ),
    "problem.attack_needs_people": (
        "The release is of people with several rows. Pass the original with the schema in which a column has the role 'person', which says whose row each is."
    ),
    "problem.collation_needs_one_row": (
        "The collation check looks for the one original row behind each released row, and people with several rows could be found by any of them. What "
        "an attacker can do to such people is counted by tokumei risk compare PLAN, and by tk.assess_release in Python."
    ),
    "problem.too_large_to_attack": "the table has more than {rows} rows; report on its plan to attack some of them.",
    "problem.overlapping_groups": (
        "This release was generalized in groups that overlap, so which cells a record got depends on other rows and cannot be undone. Use its "
        "labels as they are, ask the data holder for a release with partition=Optimal(), or take the risk with assume='coarsened at random'."
    ),
    "problem.nothing_told": "{column:name} was suppressed in every row, so the release says nothing about it.",
    "problem.suppressed_rows": (
        "{gone:row was|rows were} suppressed because too few were like {gone:|it|them}, so the estimate describes the other {left}, not "
        "everyone."
    ),
    "problem.left_out_rows": (
        "{gone:row was|rows were} left out because too few were like {gone:|it|them}, so the estimate does not describe everyone."
    ),
    "problem.among_those_who_tell": "Shares of a column are those of the rows that tell it.",
    "problem.never_told_together": (
        "No row tells both columns in {pairs} of {of} pairs, so these are taken as independent; reconstruct the release to see how they "
        "go together."
    ),
    "problem.told_by_some": (
        "{column:name} is told by some rows only, and together with other columns, which this cannot handle; use tk.reconstruct(release), "
        "whose impute() gives complete rows and whose estimator(...) predicts a column."
    ),
    "problem.told_by_none": "no released row tells {column:name}; there are too few rows, so leave it out.",
    "problem.partly_blank": (
        "each row tells some of these columns only, so rows cannot be used as they are; reconstruct the release instead (tk.reconstruct)."
    ),
    "problem.stopped_early": (
        "The estimate stopped after {steps:iteration|iterations}; its log-likelihood may be {gap:.3g} below the maximum. Raise {limit} or "
        "{tolerance}."
    ),
    "problem.only_labels": (
        "Some released labels stand for several values, so the release only bounds the figures: between all that the labels allow."
    ),
    "problem.only_boxes": (
        "Rows were generalized in groups, so the release only bounds shares: from the rows that certainly lie in a cell to those that may."
    ),
    "problem.unknown_rows": (
        "{gone:row was|rows were} suppressed because too few were like {gone:|it|them}. {gone:|It|They} may have any value, so the release only bounds "
        "the figures."
    ),
    "problem.few_rows_there": (
        "So few rows lie in some cells that one more or less matters. Their intervals cover the truth at least as often as stated, and usually more often."
    ),
    "problem.not_telling_together": (
        "No honest interval: no row tells {columns} together, so how they go together is only known from a model. Ask for fewer columns."
    ),
    "problem.told_coarsely": (
        "No honest interval: rows tell {columns} in wider cells than the table has. Ask for bins whose edges are those of the cells."
    ),
    "problem.wider_than_bins": (
        "No honest interval for some cells: after this much noise it matters where values lie within their bins, which the release does not tell. Ask for more bins."
    ),
    "problem.left_open": (
        "No honest interval for some figures: the noise leaves them open, from the smallest possible value to the largest. Ask for fewer columns or fewer labels."
    ),
    "problem.several_rows_each": (
        "No honest interval for the population: people have several rows, and the release does not say which belong together. Ask about the table instead."
    ),
    "problem.weights_in_groups": (
        "No honest interval: rows were perturbed in groups, for which survey weights cannot be used. Leave the weights out."
    ),
    "problem.told_in_groups": (
        "No honest interval: rows tell some columns each inside groups, for which intervals are not known. Use the tables of tk.reconstruct(release) without them."
    ),
    "problem.too_many_values": "No honest interval: {column:name} has too many values for its noise to be inverted.",
    "interval.title": "{level:.0%} interval of the share",
    "interval.interval": "{low:.4f} to {high:.4f}",
    "interval.exact": "exact",
    "interval.bounds": "{low:.4f} to {high:.4f}, bounds",
    "interval.none": "no honest interval",
    "interval.missing": "(missing)",
    "interval.largest": "The {most} largest of {cells} cells.",
    "interval.about": "Intervals are about the population from which the people were sampled, each on its own, and come from the released rows alone. A share outside its interval is shown at the nearer end.",
    "problem.unweighted_strata": (
        "The release is a stratified sample with hidden labels, so its rows cannot be weighted. Estimates describe the sample, not the "
        "original table."
    ),
    # The command line and notebooks
    "cli.size": "{rows:row|rows}, {columns:column|columns}",
    "cli.seeded": "The draws come from a seed: nothing is promised against anyone who knows or guesses it.",
    "cli.level": "to level {level}",
    "cli.steps": "Prepared by: {steps}.",
    "cli.sampled": "{rows} of {of} rows were sampled.",
    "cli.left_out": "{rows:row was|rows were} left out because too few rows were like {rows:|it|them}.",
    "cli.shuffled": "Rows were shuffled; direct identifiers were dropped.",
    "cli.shuffled_other": "Rows were shuffled; other direct identifiers were dropped.",
    "cli.use_perturbed": (
        "Counting released rows directly gives wrong answers, by design. Take the noise out statistically, for example:"
    ),
    "cli.use_recoded": "Cells are coarse but true: every label holds the value that it stands for. Tables and models that know this:",
    "cli.use_recoded_starred": "Cells are coarse but true, or suppressed: every label but that of suppressed cells holds the value that it stands for. Tables and models that know this:",
    "cli.use_starred": "Cells are true or suppressed. Which ones are suppressed is no accident, so do not simply leave these out. Tables and models that know this:",
    "cli.use_averaged": "Means of {columns} are right, and so are sums: cells are means of groups of similar rows. How far people spread is less than it was.",
    "cli.use_typical": "{columns}: each cell is the median or the most frequent value of a group of similar rows, a value that occurs. Rare values are fewer than they were, so means and shares are somewhat off.",
    "cli.use_swapped": "{columns}: every cell is a true one, of a similar person. Tables of one column are exact; how columns go together is weaker than it was.",
    "cli.use_sampled": "Rows are true, and a sample: {rows} of {of}. Count them as they are, and multiply for totals.",
    "cli.use_rows": "Rows are true. Count them as they are.",
    "cli.use_left_out": "Rare records are missing, so totals are too small, and rare groups most of all.",
    "cli.use_totals": "The weighted totals by {margins} are published. Rows with weights that have them, in a column of their own:",
    "cli.use_regression": "A regression with standard errors, for example:",
    "cli.use_regression_swapped": "A regression, for example (without standard errors, since how values were exchanged is not public):",
    "cli.ask_more": "What can be asked of it, and what to expect of each column: {command}",
    "title_ask": "What can be asked",
    "ask_table": "A table of one or more of these columns: {columns}.",
    "ask_target": "A model that predicts one of these columns for rows of your own (--rows new.csv): {columns}.",
    "ask_rows": "A complete row for each released one, to fit other models to.",
    "ask_weights": "A weight for each released row, for models that take sample_weight.",
    "ask_nothing": "Nothing can be reconstructed: use the released rows as they are.",
    "title_quality": "How good it will be",
    "left_expected.one": "Expect tables of one column to be off by about {one:.3f} after reconstruction (total variation, from public numbers).",
    "left_expected.two": (
        "Expect tables of one column to be off by about {one:.3f} after reconstruction, and tables of two by about {two:.3f} (total variation, from "
        "public numbers)."
    ),
    "left_measured.one": "As released, tables of one column are off by {one:.3f} (total variation, measured on your rows).",
    "left_measured.two": (
        "As released, tables of one column are off by {one:.3f}, and tables of two by {two:.3f} on average (total variation, measured on your rows)."
    ),
    "left.gone": "Hardly anything is left of {columns}: suppressed in nearly every row. Coarser values, by a hierarchy or a recode step, would say more.",
    "left.next_to_nothing": "That is next to nothing. What would help: {ways}. tokumei recommend tries other methods on your table.",
    "left_way.tells": 'rows that tell a few columns each (tells = "auto")',
    "left_way.columns": "fewer columns",
    "left_way.coarser": "coarser domains",
    "left_way.generalize": "generalization, if attackers know the quasi-identifiers only",
    "left_way.k": "a smaller k",
    "left_way.rows": "more rows",
    "quality_basis": (
        "Expected from public numbers alone; nothing has been fitted. Errors are in total variation: 0 is no error, 1 is nothing in "
        "common. Long columns of numbers count in {bins} intervals, and columns that some rows tell in the cells that are told."
    ),
    "quality_one": "Tables of one column will be off by about {one:.2f} in total variation.",
    "quality_two": (
        "Tables of one column will be off by about {one:.2f} in total variation, tables of two by about {two:.2f}."
    ),
    "quality_sampled": "Part of this is because only a sample of the rows was released.",
    "quality_exact": "Released unchanged: {columns}. Tables of {columns:|this column|these columns} alone have no error.",
    "quality_left_out": "Released unchanged: {columns}. Rare records were left out, so tables differ from the original's by these; how far cannot be said from public numbers.",
    "quality_nothing_left": "Next to nothing is left of {columns}.",
    "quality_never": (
        "In {pairs} of {of} pairs no row tells both columns. How these go together is estimated only through other columns."
    ),
    "quality_drowned": (
        "In {pairs} of {of} pairs the noise hides how the two columns go together. Their tables rely on what each column says alone, "
        "and on other columns."
    ),
    "quality_labels": (
        "Labels that stand for several values: {columns}. How people are spread within a label is not told, and what that costs "
        "cannot be said from public numbers."
    ),
    "quality_cells": (
        "Suppressed in some rows, and unchanged in the others: {columns}. In which rows is no accident, and what that costs "
        "cannot be said from public numbers."
    ),
    "quality_groups": (
        "Perturbed within groups of rows: {columns}. What that costs cannot be said from public numbers; the narrower the groups are, "
        "the less it is."
    ),
    "quality_swapped": (
        "Swapped within groups of similar rows: {columns}. Each column by itself is exact; associations are weaker than in the original."
    ),
    "quality_averaged": "Averaged over groups of rows: {columns}. The averages can be used as they are; they cannot be undone.",
    "quality_suppressed": "Suppressed in every row, so that nothing is known: {columns}.",
    "quality_alone": "alone",
    "quality_paired": "with another column",
    "quality_covers": "values a cell may stand for",
    "cli.drafted": "Wrote {plan} for {rows:row|rows} and {columns:column|columns}.",
    "cli.check_draft": "Open {plan} in an editor, check roles and domains, then run: {command}",
    "cli.key": (
        "Wrote {file}. Keep it separate from every release: anyone who has it can name the people behind pseudonyms, and take out "
        "the noise of draws that repeat under it. Keep a copy in a safe place: without the key, neither the same pseudonyms nor the same draws can be "
        "made again."
    ),
    "cli.patterns": "What holds for whom, by when people were there and changed, the weakest first:",
    "cli.pattern_unchanged": "k = {k}: {people:person|people} in {releases}, nothing changed",
    "cli.pattern_changed": "k = {k}: {people:person|people} in {releases}, drawn more than once: {columns}",
    "cli.more_patterns": "and {patterns:more pattern|more patterns}, with larger k",
    "cli.note": "note: {note}",
    "cli.dropped": "Dropped: {columns}.",
    "cli.moved": "Moved to the grid: {values:value|values} of {column:name}.",
    "cli.totals_kept": "The weighted totals by {margins} (weights: {weights:name}) are published exactly, as the plan asks, so that recipients can keep them.",
    "cli.totals_reported": "The weighted totals by {margins} (weights: {weights:name}) are not published; the report says how they changed.",
    "cli.wrote": "Wrote {place} ({rows:row|rows}).",
    "cli.wrote_files": "Wrote {files}.",
    "cli.codes_of_labels": (
        "values of {columns} became labels, which the {ending} file holds as codes 1, 2, … with value labels: a mean of the codes is not a "
        "mean of the values."
    ),
    "cli.inspect": "Inspect it with: {command}",
    "cli.promises": "What each of these means and assumes: {command}",
    "cli.report": "See its cost and who is at risk, on one page: {command}",
    "report_card_public": "Public report: it may be published with the release.",
    "report_card_private": "Private report: it is for the data holder only.",
    "cli.report_public": "It may be published with the release.",
    "cli.report_private": "It is for the data holder only: do not publish it.",
    "cli.open": "Open {file} in a browser.",
    "cli.interrupted": "interrupted; nothing was left half-written.",
    "card.guarantee": "Guarantee",
    "card.nothing": "It guarantees nothing.",
    "card.method": "Method: {method}.",
    # Complete rows
    "complete_title": "Imputed rows: what they are, and what they are good for",
    "complete_what": "What these rows are",
    "complete_guarantees": "What is guaranteed",
    "complete_good_for": "Good for",
    "complete_not_for": "Not good for",
    "complete_assumed": "What was assumed",
    "complete_pooling": "Combining the copies",
    "complete.imputed_rows": (
        "{rows:row|rows}, in {copies:copy|copies}. Each row was drawn for one released row, from the true rows that it may come from."
    ),
    "complete.drawn_rows": (
        "{rows:row|rows}, in {copies:copy|copies}. They were drawn from a model of the original table that was fitted to "
        "{released:released row|released rows}."
    ),
    "complete.nobodys_rows": "Take no row for a person's: what the release does not tell was drawn at random.",
    "complete.rows_as_released": "No column has noise or cells that stand for several values, so there was nothing to draw: every row is a released row.",
    "complete.kept_cells": "Only {columns} {columns:|has|have} the cells of the release.",
    "complete.post_processing": (
        "The rows were computed from the release alone. Nobody can learn more about a person from them than from the release, which "
        "guarantees what follows. Nothing more is guaranteed."
    ),
    "complete.good_for_tables": "Tables of a few columns, shares and means.",
    "complete.good_for_models.one": "Models that predict a column, fitted to these rows and used on true ones.",
    "complete.good_for_models.several": (
        "Models that predict a column, fitted to all copies together (rows with the same weight) and used on true rows."
    ),
    "complete.good_for_code": "Trying out programs that expect complete rows.",
    "complete.not_for_people": "Single rows: no row says anything about a person that the release does not say.",
    "complete.not_for_detail": (
        "What the model does not have: rare combinations, how many columns act together, and rules between columns (such as an end "
        "after a beginning)."
    ),
    "complete.not_determined": (
        "How columns go together: the noise leaves it open, and models fitted from different starts disagree. Tables of one column are "
        "not affected."
    ),
    "complete.not_for_one_copy": (
        "Standard errors and intervals: those computed from one copy are too narrow. Make several copies, such as 20."
    ),
    "complete.coefficients_shrink": (
        "Regression coefficients: those of perturbed columns are biased towards zero, and their intervals cover the truth less often "
        "than they say. Name the column to be explained as the target, which helps."
    ),
    "complete.others_shrink": (
        "Coefficients of models that explain another column than {target:name}: they are biased towards zero, and their intervals "
        "cover the truth less often than they say. Those of models of {target:name} are biased less, not always enough."
    ),
    "complete.mixture_assumed": (
        "The original table was modelled as a mixture of {classes:class|classes}, within which columns are independent."
    ),
    "complete.fitted_again": (
        "For each copy the model was fitted again to the released rows with random weights, so that copies also differ by what is "
        "unknown about the model."
    ),
    "complete.given_target": (
        "The other columns were modelled for each value of {target:name}, which is for models of that column. For tables of other "
        "columns, rows that were made without a target are better."
    ),
    "complete.spread_evenly": (
        "Values of {columns} that the release does not tell apart were drawn evenly, so means and other figures that depend on them "
        "may be off."
    ),
    "complete.never_together": (
        "No released row tells both columns of {count:pair|pairs}, so how these go together is the model's guess. Among them: {pairs}."
    ),
    "complete.coarsened_at_random": (
        "Generalized or suppressed cells were taken to say that the true value is among those that they stand for, and nothing else."
    ),
    "complete.tight_boxes": (
        "The box of a group was taken to be the smallest around its rows. Groups were chosen from the rows, which says more that is "
        "not used; cells of generalized rows were therefore drawn more evenly from their boxes than the model alone would."
    ),
    "complete.suppressed_evenly": (
        "Suppressed cells were drawn evenly from all values of their column: cells are suppressed because they are rare, so other rows "
        "say little about them."
    ),
    "complete.labels_evenly": (
        "Cells that stand for several values were drawn evenly from these: how people are spread within a label says too little to be modelled."
    ),
    "complete.averaged_cells": "Averages in {columns} were taken as they are; true values are more spread out.",
    "complete.swapped_cells": (
        "Values of {columns} were exchanged within groups and taken as they are; how they go together with other columns is weaker than in "
        "the original."
    ),
    "complete.rows_left_out": "{rows:row was|rows were} left out of the release, and nothing here stands for {rows:|it|them}.",
    "complete.sampled_rows": "The release is a sample: {rows} of {of} rows.",
    "complete.weigh_rows": "Released rows count differently, and so do these: weight them by {column:name}.",
    "complete.weighted_by": "Rows were drawn by the weights in {column:name}, so each counts the same.",
    "complete.no_interval_measured": (
        "No honest interval: copies of completed rows of such a release do not show all that is uncertain. "
        "tk.reconstruct(release).table(columns).intervals() and .mean(column) have intervals or bounds, or say why not."
    ),
    "complete.coefficients_uncertain": (
        "No honest interval: each row tells some columns only, so coefficients of models on completed rows are biased towards zero. "
        "tk.regress(release, formula) has standard errors that hold, or says why not."
    ),
    "complete.means_in_cells": (
        "No honest interval: each row tells some columns only, numbers often in cells of several values, and copies do not show where in a cell "
        "values lie. tk.reconstruct(release).mean(column) has an interval or bounds."
    ),
    "complete.target_weakens_tables": (
        "No honest interval: rows were completed for models of {target:name}, and how other columns go together is off in them. Leave the target "
        "out for shares, or take tk.reconstruct(release).table(columns).intervals()."
    ),
    "complete.numbers_say_nothing": (
        "No honest interval: numbers do not say what they are, and with such a release intervals from copies hold for some estimates only, not for "
        "coefficients. Pass of='shares' or of='means' if that is what they are; for coefficients take tk.regress(release, formula)."
    ),
    "complete.hidden_was_chosen": (
        "No honest interval about the table: which values a box hides was chosen, not drawn, and copies do not show that. Ask about the "
        "population, with variances, or take the bounds of tk.reconstruct(release).table(columns).intervals(about='table')."
    ),
    "complete.sample_says_nothing": (
        "No honest interval about the table: the release is a sample, and copies do not show who is missing from it. Ask about the "
        "population, with variances."
    ),
    # Regressions
    "regression_coefficient": "coefficient",
    "regression_error": "standard error",
    "regression_interval": "90% interval",
    "regression.from_rows": "Fitted to the released rows as they are; standard errors do not assume that the model is right about how rows vary.",
    "regression.from_common_rows": (
        "Fitted to the {rows} of {of} rows that were not left out for being rare. Which rows these are depends on the quasi-identifiers, so the model is taken to hold for the others as well."
    ),
    "regression.from_averages": "Fitted to the released rows, whose cells are averages of groups of similar rows.",
    "regression.from_whole_rows": (
        "Fitted to the {rows} of {of} rows in which every column of the regression shows its value. Which rows these are depends on the quasi-identifiers, so the model is taken "
        "to hold for the others as well."
    ),
    "regression.from_spread_cells": (
        "Hidden cells were drawn {copies} times, evenly from the values that they may stand for, and each copy of a row counts by how well the regression explains it."
    ),
    "regression.from_corrected_equations": "The noise was taken out of the equations of the regression, through the public mechanism.",
    "regression.from_pairs": "Each mean of a product of two columns comes from the rows that tell both, with the noise taken out.",
    "regression.from_telling_all": "From the {rows:row that tells|rows that tell} all columns together, with the noise taken out.",
    "regression.from_copies": "Rows were completed {copies} times by a model of the whole table, and results were combined by Rubin's rules.",
    "regression.from_weighted_copies": (
        "Rows were completed {copies} times by a model of the whole table, and each copy of a row counts by how well the regression explains it."
    ),
    "regression.not_told": (
        "No honest interval: no row tells {columns} together. Ask the data holder for rows that do, or explain the target by fewer columns."
    ),
    "regression.told_in_cells": (
        "No honest interval: rows tell {columns} in cells of several values, and where values lie in a cell moves the coefficients."
    ),
    "regression.swapped": (
        "No honest interval: values of {columns} were exchanged within groups, which weakens how they go together with other columns by an unknown amount."
    ),
    "regression.hidden": (
        "No honest interval: only {rows} of {of} rows show the value of every column, too few for a regression. Explain the target by fewer "
        "columns, or ask for a release with a smaller k."
    ),
    "regression.target_hidden": (
        "No honest interval: {target:name} itself was generalized or suppressed in some rows, so the rows that show it are not a random part of all."
    ),
    "regression.chosen_by_target": (
        "No honest interval: {target:name} is a quasi-identifier or part of a constraint, so which values are hidden depends on it."
    ),
    "regression.form_does_not_fit": (
        "No honest interval: which rows show all values depends on their quasi-identifiers, and in those rows squares or products of the columns, or quasi-identifiers "
        "that the regression leaves out, would explain the target better. The coefficients are those of the rows that were selected, not of all people."
    ),
    "regression.form_of_whole_rows": (
        "No honest interval: {rows} of {of} rows show the value of every column, and in those rows squares or products of the columns, or quasi-identifiers that the regression leaves out, would "
        "explain the target better, so other rows have other coefficients. All rows were completed instead. On tables where this was measured, that was nearer to the coefficients of all people for generalized rows, and mostly for suppressed cells."
    ),
    "regression.whole_rows_say_too_little": (
        "No honest interval: {rows} of {of} rows show the value of every column, and they do not determine the coefficients. All rows were completed instead. "
        "Explain the target by fewer columns, or ask for a release with a smaller k."
    ),
    "regression.separated": (
        "No honest interval: a label occurs with one class of the target only (separation), or with no count above zero, so that the likelihood has no "
        "maximum. The coefficients are those of Firth's penalized likelihood. Leave out a column, or join labels."
    ),
    "regression.many_left_out": (
        "{rows:row was|rows were} left out because {rows:|it was|they were} rare. A release with a smaller k, or by a method that keeps all rows, would tell more."
    ),
    "regression.averaged_widely": (
        "No honest interval: {columns:column was|columns were} averaged together in groups of {k} rows. Intervals were measured to hold for up to 5 columns in groups of up to 10 rows; "
        "with more, averages are too far from the rows that they stand for."
    ),
    "regression.hidden_in_groups": (
        "No honest interval: the noise within groups hides so much that completed rows lean on the model, and coefficients are biased. Ask for a release with a smaller k."
    ),
    "regression.counts_perturbed": (
        "No honest interval: {target:name} itself has noise, and intervals of Poisson regressions were measured to be wrong then. Linear regression has some."
    ),
    "regression.not_measured": "No honest interval: whether intervals of such a regression hold for such a release has not been measured in enough releases.",
    "regression.rare_left_out": (
        "No honest interval: {rows:row was|rows were} left out because {rows:|it was|they were} rare, and this depends on the target."
    ),
    "regression.few_left": (
        "No honest interval: only {rows} of {of} rows were not left out for being rare, too few to see whether the others are like them. Ask for a release with a smaller k, "
        "or by a method that keeps all rows."
    ),
    "regression.missing_in_noise": (
        "No honest interval: cells of {target:name} are missing, and the noise hides which, so the rows were completed."
    ),
    "regression.several_each": "No honest interval: people have several rows, and the release does not say which belong together.",
    "regression.strata_hidden": "No honest interval: the release is a stratified sample that does not say which stratum a row is from.",
    "regression.fits_disagree": "No honest interval: the noise leaves open how columns go together.",
    "complete.pool_imputed": (
        "Compute your estimate from each of the {copies} copies, and combine the results by Rubin's rules, in Python with tk.pool(results)."
    ),
    "complete.drawn_rows_say_nothing": (
        "No honest interval: rows were drawn, and how far a few copies of them differ does not tell what drawing adds from what is unknown. "
        "The mean over the copies is the estimate. For an interval leave out the number of rows, and one is imputed for each released row."
    ),
    # Reports
    "title": "Report on a release",
    "variant_private": "For the data holder only: this report says things about the original rows.",
    "variant_public": "Public: made only from the released rows and their manifest.",
    "contents": "Contents",
    "absent": "–",
    "list_comma": ", ",
    "list_semicolon": "; ",
    "colon": ": ",
    "in_brackets": "{text} ({aside})",
    "in_manifest": "(long; see manifest.json)",
    # Verdict
    "title_verdict": "In short",
    "verdict_what": "{rows} rows and {columns} columns, made by {method}.",
    "verdict_void": "The draws come from a seed, so nothing is promised against anyone who knows or guesses it.",
    "verdict_before": "Of the original rows, {rows} ({share}) are unique in their quasi-identifiers.",
    "verdict_classes": "Of the released rows, {rows} are unique; the smallest equivalence class has {k} rows.",
    "verdict_attack": (
        "In a trial, an attacker who knows the original table linked {linked} of {people} people correctly (95% confidence "
        "interval: {low} to {high}). Their most certain link had a probability of {belief}."
    ),
    "verdict_belief": "For an attacker who knows the original table, the most certain link has a probability of {belief}.",
    "verdict_released": "As released, the distribution of a column is off by {column} on average.",
    "verdict_reconstructed": "After reconstruction, it is off by {column}.",
    "verdict_not_measured": "Its utility could not be measured.",
    "verdict_advice": "Points to check before releasing it: {count} (see Advice).",
    "verdict_no_advice": "There is no advice to add.",
    "verdict_receiver_perturbed": (
        "Cells were perturbed at random. Counting released rows directly gives wrong answers, by design. Taking the noise out "
        "statistically gives the right ones."
    ),
    "verdict_receiver_swapped": (
        "Values were exchanged within groups of similar rows. Each column by itself is exact; associations are weaker than in the original."
    ),
    "verdict_receiver_sampled": "The rows are a sample, released unchanged.",
    "verdict_receiver_alike": (
        "Cells were generalized, averaged or suppressed. A label or an average stands for a group of values."
    ),
    # Promise
    "title_promise": "What is promised",
    "title_assumes": "What this assumes",
    "promise_of": "(guarantee {places})",
    "promise_proofs": "To read the proofs, run: {proofs}.",
    # Risk
    "title_ladder": "Against every kind of attacker",
    "caption_ladder": (
        "What each kind of attacker can reach at most; lower is safer. Differencing is drawn as what becomes of a belief of 50%."
    ),
    "title_risk": "What an attacker can do",
    "risk_measure": "Measure",
    "risk_before": "Original",
    "risk_after": "Release",
    "risk_k": "Smallest equivalence class (k)",
    "risk_k_people": "Smallest ratio of the rows of an equivalence class to those of one person or household (k)",
    "risk_several": (
        "The release does not say whose row each is. What is shown of it is therefore the most that can be true: of a class of n rows at most the largest "
        "number that anyone has, and no more than a k-th, can be one person's or household's. A link to any of their rows counts as correct."
    ),
    "risk_unique": "Unique records",
    "risk_highest": "Highest probability of a link",
    "risk_average": "Average probability of a link",
    "risk_above": "Rows linked with a probability over {threshold}",
    "risk_who_alike": (
        "The attacker knows {columns} about one person, and knows that the person is in the table. They look for rows that agree."
    ),
    "risk_who_sampled": (
        "In the original, the attacker knows {columns} about one person. In the release, they know far more: the whole original "
        "table, but not who was sampled."
    ),
    "risk_who_swapped": (
        "In the original, the attacker knows {columns} about one person. In the release, they know the swapped columns of everyone and everyone's group, "
        "and nothing about the other columns. Equivalence classes of swapped rows say nothing about the risk, so they are not counted."
    ),
    "risk_who_perturbed": (
        "In the original, the attacker knows {columns} about one person. In the release, they know far more: the whole original "
        "table and how the noise was made, but not the draws. Equivalence classes of perturbed rows say nothing about the risk, so "
        "they are not counted."
    ),
    "risk_wildcards": (
        "A suppressed cell counts as a value of its own, which never understates the risk. If it is taken to agree with any value, "
        "every row agrees with at least {k} rows, itself included."
    ),
    "caption_before_after": "Probability of a correct link, in the original and in the release.",
    "caption_sizes_before": "Original: the number of rows that a row agrees with, itself included.",
    "caption_sizes_after": "Release: the number of rows that a row agrees with, itself included.",
    "caption_blame": "Which columns single people out in the original: the share of each in the scores of all rows. Shares add up to 100%.",
    "blame_sets": "Smallest sets of columns that make the most rows of the original unique: {sets}.",
    "blame_set": "{columns} ({rows} rows)",
    "attack_some": (
        "The table is large. A release of {rows} rows, sampled from its {all}, was made in the same way and attacked."
    ),
    "attack_linked": (
        "They link {linked} of {people} people correctly (95% confidence interval: {low} to {high}). This was counted on a "
        "release drawn for the purpose; its draws are the same in every report."
    ),
    "attack_no_truth": "Nobody knows which of their links are correct, because the order of the rows is not kept.",
    "attack_belief": (
        "Their most certain link has a probability of {belief}. They expect to link {expected} people correctly."
    ),
    "attack_promised": "The guarantee allows {promised}.",
    "attack_unknown": "They make no use of {columns}, as the guarantee assumes.",
    "attack_how": "How their beliefs were computed: {how}.",
    "public_counted": "Counted on the released rows, as any recipient can: which rows agree in {columns}.",
    "public_swapped": (
        "Released values were exchanged within groups of rows, so the equivalence classes of released rows say nothing about the risk. The "
        "guarantee above bounds it, whatever the rows look like."
    ),
    "public_perturbed": (
        "Released cells were perturbed at random, so the equivalence classes of released rows say nothing about the risk. The "
        "guarantee above bounds it, whatever the rows look like."
    ),
    "public_no_columns": "No released column is a quasi-identifier, so there are no equivalence classes to count.",
    "public_people": (
        "People have several rows, and the release does not say whose they are, so its equivalence classes would understate the "
        "risk. The guarantee above counts people."
    ),
    # Questions
    "title_questions": "Three questions, and two from Japanese law",
    "questions_law": (
        "The first three are the questions that European data protection authorities ask about anonymization (Article 29 Working "
        "Party, Opinion 05/2014). The answers here are computed. Whether a release complies with a law depends on its context and "
        "on people; nothing here claims that it does."
    ),
    "question_rung": "{name}: {value} ({how}). {said}",
    "question_singling_out": "Singling out: can a person be singled out?",
    "singling_swapped": (
        "A released row may be unique, but its values come from several people of a group. Whichever row an attacker takes for a person's, "
        "they are right with a probability of at most 1/{k}, under the assumptions above. A rare value still shows that someone in the table has it."
    ),
    "singling_perturbed": (
        "A released row may be unique, but it need not be anyone's true record. Whichever row an attacker takes for a person's, "
        "they are right with a probability of at most 1/{k}, under the assumptions above."
    ),
    "singling_alike": (
        "By {columns}: every released row agrees with at least {k} rows, itself included, and {rows} rows are unique."
    ),
    "singling_people": (
        "By {columns}: no person or household has more than 1 in {k} of the rows that agree. Whichever of them an attacker "
        "picks for theirs, they are right with a probability of at most 1/{k}, under the assumptions above."
    ),
    "singling_together": "By all released columns together, {rows} rows ({share}) are unique.",
    "singling_sampled": (
        "Yes, among the released rows: {rows} of them are unique in {columns}. An attacker who does not know who was sampled "
        "cannot tell whether such a row is also unique among all people."
    ),
    "singling_no_columns": "No released column is a quasi-identifier.",
    "question_linkability": "Linkability: can a row be linked to a person, or the rows of one person to each other?",
    "linking_promise": "A row is linked correctly with a probability of at most 1/{k}, under the assumptions above.",
    "linking_nothing": "Nothing is promised against it.",
    "linking_seeded": (
        "The draws come from a seed, and anyone who knows it may link rows. Nothing is promised against them."
    ),
    "linking_again": (
        "This holds for this release alone. Another release of the same people adds to what is known about them; tokumei combine "
        "computes what is left."
    ),
    "question_inference": "Inference: can a person's value be inferred?",
    "inference_class": (
        "{column}: every equivalence class has at least {l} different values and is within {t} of the whole release (total "
        "variation). {rows} rows lie in equivalence classes with a single value, which is learned without any link."
    ),
    "inference_sampled": "An attacker who recognizes a row reads all of its values, because they are released unchanged.",
    "inference_guess": (
        "{column}: the attacker guesses it correctly for {right} of the people, and for {without} without the release."
    ),
    "inference_stated": "A guarantee above limits this in every equivalence class.",
    "inference_not_promised": (
        "The guarantee is about linking. It does not limit what can be inferred from what many people have in common."
    ),
    "question_provider": (
        "提供元基準 (the provider's view): could the data holder, who has the original, tell whose row it is?"
    ),
    "provider_swapped": (
        "By {columns}, released unchanged: anyone who has the original recognizes a row wherever these are unique. The other values of the row are those of "
        "similar people."
    ),
    "provider_swapped_all": "Every value belongs to someone, but no released row is anyone's: its values come from several people of a group.",
    "provider_perturbed": (
        "Not with a probability over 1/{k}. The guarantee holds against anyone who knows the whole original table, as the data "
        "holder does, as long as the draws and the order of the rows are gone. tokumei keeps neither."
    ),
    "provider_unknown": (
        "Perhaps. The guarantee of 1/{k} assumes that an attacker learns nothing from {columns}, released unchanged, and the data "
        'holder does. With kept = "known" or "perturb" there is a guarantee against the data holder too.'
    ),
    "provider_seeded": "Yes: the draws come from a seed and can be repeated.",
    "provider_sampled": "Yes, for every record that is unique in the original: rows are released unchanged.",
    "provider_alike": (
        "In part. Anyone who has the original can form the same equivalence classes again and compare all released columns. Then "
        "{rows} rows ({share}) are unique, and the smallest equivalence class has size {k}."
    ),
    "question_collation": "容易照合性 (easy collation): what would make it easy to match it with other information?",
    "collation_gone": "Direct identifiers were dropped and rows were shuffled. No table says which row came from whom.",
    "collation_kept": "Released unchanged, and therefore open to matching with other tables: {columns}.",
    "collation_none_kept": "No column is released unchanged.",
    "collation_do": "Keep the original separate from the release, and restrict who may see both.",
    "collation_check": (
        "Anyone who has the original can resolve {resolved} of {groups} groups of rows to one set of original records (undecided: "
        "{undecided}). Rows that this identifies as one person's: {pinned}."
    ),
    # Advice
    "title_advice": "Advice",
    "advice_rung_whole_table": (
        "An attacker who knows the whole original table may link a row with a probability of up to {value}. Run tokumei promises RELEASE --plan "
        "PLAN --advise: it tries changes on your table, such as perturbing the columns released unchanged, and measures what each costs."
    ),
    "advice_rung_inference": (
        "A sensitive value may be believed with a probability of up to {value} without any link. Run tokumei promises RELEASE --plan PLAN "
        "--advise: it tries changes on your table, such as l-diversity or t-closeness, and measures what each costs."
    ),
    "advice_none": "None of the known problems applies.",
    "advice_seeded": "The draws come from a seed. Make the release again without one before you release it.",
    "advice_nothing_promised": (
        "k = 1 guarantees nothing against linking. Ask for a larger k, noisier matrices, or (for suppressed cells) meaning = "
        '"own_value".'
    ),
    "advice_nearly_unique": (
        "{column} has nearly as many different values as rows ({share}). It identifies people as a name does: drop it, make it an "
        "identifier, or recode it."
    ),
    "advice_filled_classes": (
        "{column}: {rows} rows ({share}) lie in equivalence classes with a single sensitive value, which is learned without any "
        "link. Ask for l-diversity or t-closeness."
    ),
    "advice_told_apart": (
        "{rows} rows ({share}) are unique to an attacker who knows all released columns, including those released unchanged. "
        "Recode or drop some of these if they may be known."
    ),
    "advice_small_groups": (
        "{column}: values that occur in fewer than k = {k} rows: {values}; rows that have them: {rows}. Merge them with others."
    ),
    "advice_outliers": (
        "{column}: rows far from the others: {rows} (more than 3 interquartile ranges beyond the quartiles). Top- or bottom-code "
        "them."
    ),
    "advice_bounds_from_data": (
        "{column}: the domain or hierarchy was read from the data, so its bounds are somebody's values. Declare it."
    ),
    "advice_many_gone": (
        "{rows} rows ({share}) were left out or suppressed because too few rows were like them. Estimates from the others do not "
        "describe everyone: recode first, so that fewer rows are lost."
    ),
    # Utility
    "title_utility": "Utility",
    "utility_how": (
        "Distances are total variation: 0% means the same distribution, 100% means nothing in common. As released, a label "
        "counts evenly for all values that it stands for, and a column that some rows tell is counted among these rows. After "
        "reconstruction, tables are those that recipients can estimate from the release and its public mechanism: that is how "
        "to judge a perturbed release."
    ),
    "utility_none": "Nothing could be measured.",
    "utility_measure": "Measure",
    "utility_column": "Column",
    "side_released": "As released",
    "side_reconstructed": "After reconstruction",
    "utility_marginals": "Mean distance of one column",
    "utility_pairs": "Mean distance of two columns together",
    "utility_associations": "Mean error of an association",
    "utility_told_apart": "Rows told apart from original ones (share of the worst pMSE)",
    "utility_score": "Score of a model on original rows",
    "utility_loss": "Information loss of a quasi-identifying cell",
    "utility_ncp": "Normalized certainty penalty of a cell",
    "title_margins": "Weighted totals that must not change",
    "margins_how": (
        "Weighted totals of the declared margins, original against release. Moved is the part of the weight that is in another cell."
    ),
    "margins_how_raked": (
        "Raked weights, which follow from the released rows and the disclosed totals, have the totals of the original exactly."
    ),
    "margins_columns": "Margin",
    "margin_total": "Total weight",
    "margin_moved": "Moved, as released",
    "margin_largest": "Largest change of a cell",
    "margin_undone": "Moved, reconstructed",
    "margin_raked": "With raked weights",
    "margin_exact": "exact",
    "title_columns": "Column by column",
    "title_not_measured": "What could not be measured, or only with reservations",
    "caption_correlations": "Associations between two columns as released: correlation, or Cramér's V if one has no order.",
    "caption_correlations_reconstructed": "The same after reconstruction.",
    "caption_marginals": "{column}: shares of its values in the original (left) and in the release (right).",
    "title_use": "What recipients can do with it",
    "receive_swapped": (
        "Rows can be used as they are. Each column by itself is exact, and so is its distribution in each group of similar rows. Associations between columns "
        "hold between groups and are lost within them, so they are weaker than in the original."
    ),
    "receive_perturbed": (
        "Do not count released rows directly: they are wrong by design. The mechanism is public, so joint tables, regressions and "
        "models can be estimated as if from the original, with intervals that say how precise they are."
    ),
    "receive_sampled": (
        "Count as in any sample: shares are right up to sampling error. Multiply to get totals for all people."
    ),
    "receive_alike": (
        "Labels stand for several values, over which tokumei reconstruct spreads them. Columns released unchanged can be used "
        "directly."
    ),
    "receive_averaged": (
        "Cells are averages over groups of rows, which cannot be undone. Means are nearly right; variances and associations are "
        "not."
    ),
    "receive_not_at_random": "Rare rows are missing or suppressed, so estimates do not describe everyone.",
    "receive_inspect": "tokumei inspect RELEASE explains how every column was made.",
    # Method
    "title_method": "How it was made",
    "title_steps": "Preparation",
    "method_parameter": "Parameter",
    "method_value": "Value",
    "method_drawn": "{rows} of {of} rows were sampled.",
    "method_left_out": "{rows} rows were left out because too few rows were like them: not missing at random.",
    "title_told": "What each row tells",
    "told_rows": "Columns",
    "told_share": "Rows",
    "told_values": "Possible values",
    "told_kept": "Kept with probability",
    "told_nothing": "nothing more than the group's values",
    "told_any": "any {count} of {among} columns ({ways:combination|combinations})",
    "told_blank": (
        "Which columns a row tells was drawn at random, independently of the row, and {label:name} names them. What it tells is kept as a whole "
        "or replaced. Its other cells are blank: they say nothing, and are not missing values."
    ),
    "method_always": "Direct identifiers were dropped, and rows were shuffled.",
    "method_pk_perturbation": "Pk-perturbation",
    "method_grouped_pk_perturbation": "Pk-perturbation in groups",
    "method_pram": "PRAM (post-randomization)",
    "method_sampling": "sampling",
    "method_generalization": "generalization",
    "method_record_suppression": "record suppression",
    "method_local_suppression": "local suppression",
    "method_microaggregation": "microaggregation",
    "method_swapping": "data swapping",
    "about_pk_perturbation": (
        "Every cell is kept or replaced at random, with just enough noise that no row can be linked with a probability over 1/k, or for the ε that was "
        "asked for."
    ),
    "about_telling": (
        "Each row tells some columns, drawn at random, with just enough noise that no row can be linked with a probability over 1/k, or for the ε that "
        "was asked for. Its other cells are blank."
    ),
    "about_telling_in_groups": (
        "Each row tells some of the columns, drawn at random. Its other cells are blank, except where the group has only one value."
    ),
    "about_grouped_pk_perturbation": (
        "Similar rows are grouped, and cells are perturbed at random within the bounds of their group."
    ),
    "about_pram": "Every cell is changed at random by a published matrix of probabilities.",
    "about_sampling": "Some rows are sampled and released unchanged.",
    "about_generalization": "Cells are made coarser until every row agrees with at least k rows, itself included.",
    "about_record_suppression": "Rows that agree with fewer than k rows are left out.",
    "about_local_suppression": (
        "Individual cells are suppressed until every row agrees with at least k rows, itself included."
    ),
    "about_swapping": (
        "Similar rows are put into groups of k or more, and exchange their values at random within a group, column by column."
    ),
    "about_microaggregation": (
        "Similar rows are put into groups of k or more, and each row is released as the average of its group."
    ),
    "step_recode": "{column} recoded by its hierarchy",
    "step_top_bottom_code": "{column} top- and bottom-coded",
    "step_pseudonymize": "{column} replaced by a keyed pseudonym",
    "step_mask": "{column} masked except for a few characters",
    "step_drop": "{column} dropped",
    # Dictionary
    "title_dictionary": "Data dictionary",
    "dictionary_column": "Column",
    "dictionary_role": "Role",
    "dictionary_values": "Values",
    "dictionary_happened": "What happens to a value",
    "dictionary_labels": "(released as {count} labels)",
    "dictionary_clusters": "the columns that a row tells: one of {count} combinations",
    "dictionary_told": "(told in {count} cells)",
    "role_identifier": "identifier",
    "role_person": "person",
    "role_quasi_identifier": "quasi-identifier",
    "role_sensitive": "sensitive",
    "role_insensitive": "insensitive",
    "domain_none": "not declared",
    "domain_labels": "{count:label|labels}",
    "domain_or_star": ", or suppressed",
    "domain_starred": "suppressed in every row",
    "mechanism_card": "What happens to a value of each column; everyone may know it",
    "domain_missing": ", or missing",
    "domain_observed": "{count} values, read from the data",
    "domain_more": " and {count} more",
    "domain_range": "{low} to {high}",
    "domain_step": ", step {step}",
    # Looked
    "title_looked": "What was chosen by looking at the data",
    "looked_why": "Each of these reveals something about the rows, and is published in the manifest with its reason.",
    "looked_nothing": "Nothing: parameters and domains follow from what was declared and from the number of rows.",
    # Origin
    "title_origin": "Evidence: date, versions and digests",
    "origin_table": "Table",
    "origin_made": "Report made",
    "origin_input": "Original, {name}",
    "origin_rows": "Original, its rows as read (Arrow stream)",
    "origin_plan": "Plan",
    "origin_release": "Release, {name}",
    "origin_plan_text": "The plan",
    "origin_kept": (
        "Keep this report with the original and the plan: the digests (SHA-256) show later that these are the ones it is about. They are left "
        "out of the public report, since a digest of the original would let those who know all other rows test a guess."
    ),
    "origin_what": "What",
    "origin_value": "Version or SHA-256",
    "origin_digest": "The report is about the release whose files have these digests.",
    "origin_no_digest": (
        "The release was not read from files (it was drawn for this report, or passed in memory), so there are no digests. A "
        "release written later from the same plan has different draws."
    ),
    # Charts
    "chart_highest": "most certain link",
    "chart_average": "average link",
    "chart_before": "original",
    "chart_after": "release",
    "chart_original": "original",
    "chart_released": "released",
    "chart_reconstructed": "reconstructed",
    "chart_difference": "difference",
    "chart_below k": "below k",
    "chart_k or more": "k or more",
    "chart_or_more": " or more",
    "chart_rows in an equivalence class": "rows in an equivalence class",
    "chart_share of rows": "share of rows",
    "chart_probability of a correct link": "probability of a correct link",
    "chart_share of the risk": "share of the risk",
    # Studio
    # The frame
    "skip": "Skip to the content",
    "screens": "Screens",
    "language": "Language",
    "shade": "Light or dark",
    "shade_auto": "Auto",
    "shade_light": "Light",
    "shade_dark": "Dark",
    "cancel": "Cancel",
    "close": "Close",
    "again": "Try again",
    "working": "Working …",
    "unexpected": ("Something unexpected went wrong. Nothing was changed. Try something else, or restart the studio."),
    "work_change": "Applying the change …",
    "work_save": "Saving the project …",
    "work_open": "Opening the table …",
    "work_columns": "Reading the columns …",
    "work_sizes": "Counting equivalence classes …",
    "work_risk": "Looking for columns that single people out …",
    "work_levels": "Trying the levels …",
    "work_frontier": "Measuring the methods …",
    "work_point": "Measuring the methods at this k …",
    "work_choose": "Measuring this method …",
    "work_lattice": "Looking at every combination of levels …",
    "work_compare": "Comparing the release with the original …",
    "work_marginal": "Drawing the chart …",
    "work_score": "Training a model …",
    "work_attack": "Running the attack …",
    "work_records": "Sorting the records …",
    "work_advice": "Trying changes …",
    "work_ladder": "Counting what is promised …",
    "work_export": "Making and checking the files …",
    "work_figures": "Computing risk and utility …",
    "stopped": "Stopped.",
    "undo": "Undo",
    "redo": "Redo",
    "history": "History",
    "history_opened": "Opened {name}",
    "history_and": "; ",
    "history_list": ", ",
    "history_method": "{method}, k = {k}",
    "history_no_method": "No method",
    "history_columns": "Other columns",
    "history_column": "{column}: {what}",
    "history_domain": "another domain",
    "history_hierarchy": "another hierarchy",
    "history_no_hierarchy": "no hierarchy",
    "history_described": "described differently",
    "history_prepared": "Prepared: {steps}",
    "history_unprepared": "Nothing prepared",
    "history_seed": "Drawn with a seed",
    "history_no_seed": "No seed",
    "history_pinned": "Pinned {methods}",
    "history_unpinned": "Unpinned",
    "history_duties": "Duties: {duties}",
    "history_no_duties": "No duties",
    "history_no_population": "No population",
    "history_population_size": "Population of {people}",
    "history_population_share": "Sampled share {share}",
    "history_population_weights": "Survey weights {column:name}",
    "history_population_table": "Population {name:name}",
    "history_source": "Other cells missing: {markers}",
    "role_short_person": "whose row it is, dropped",
    "role_short_identifier": "identifier, dropped",
    "role_short_quasi_identifier": "quasi-identifier, protected",
    "role_short_sensitive": "sensitive",
    "role_short_insensitive": "insensitive",
    "copy": "Copy as",
    "copy_python": "Python program",
    "copy_toml": "Plan (TOML)",
    "copy_cli": "Command",
    "copy_save": "Save {name}",
    "copy_now": "Copy",
    "copied": "Copied.",
    "header_figures": "Risk and utility",
    "head_table": "Table · rows",
    "head_before": "Highest link probability, original",
    "head_after": "Highest link probability, release",
    "head_rungs": "Linking · whole table · inference · ε · membership",
    "studio_duties": "Tick the rungs that this release must keep, with the largest number that is allowed. The header is green only where all of them hold.",
    "studio_duty_allowed": "{name}: at most",
    "studio_rungs_told": "What each rung says and assumes",
    "head_utility": "Utility as released",
    "head_no_method": "no method yet",
    "head_counted": "{share} (counted)",
    "head_proved": "{share} (proven)",
    "head_nothing": "nothing promised",
    "welcome": "Release a table about people, safely",
    "welcome_about": (
        "The studio shows what an attacker could learn from a table, protects it with a method that you choose, and checks every "
        "guarantee before anything leaves this computer."
    ),
    "welcome_steps": "The steps",
    "open_example": "Open the example",
    "screen_data": "Data & roles",
    "screen_risk": "Risk",
    "screen_hierarchies": "Hierarchies",
    "screen_frontier": "Frontier",
    "screen_lattice": "Lattice",
    "screen_compare": "Before / after",
    "screen_records": "Records",
    "screen_verdict": "Verdict",
    "screen_export": "Export",
    "lead_data": (
        "Say what each column is: what names a person, what others may know about a person, and what must not become known."
    ),
    "lead_risk": "What attackers could do with the table if it were released unchanged and, once a method is applied, with its release.",
    "lead_hierarchies": (
        "How values may be made coarser. The better the hierarchies fit, the less information a release loses."
    ),
    "lead_frontier": (
        "What each method costs for every k. The slider shows what has been measured; where you leave it, every method is measured."
    ),
    "lead_lattice": "Every way to generalize whole columns. Hatched ones do not reach k; any other can be applied.",
    "lead_compare": "The utility of the release, compared with the original.",
    "lead_records": (
        "The rows that are easiest to re-identify, and what an attacker would see. This page stays on this computer."
    ),
    "lead_verdict": (
        "What the release promises against every kind of attacker, whether that meets your duties, and what could be changed."
    ),
    "lead_export": (
        "Every guarantee is checked again on what would be released. Then take the release, the plan, a program or a report."
    ),
    # Data and roles
    "projects": "Go on with a project",
    "projects_about": (
        "Your steps are kept in a private folder of yours on this computer: the plan and its history, never the rows."
    ),
    "projects_more": "Show {count} more",
    "project_told": "{when}, {steps:step|steps}",
    "project_open": "Open",
    "project_remove": "Remove",
    "project_really": "Remove for good?",
    "project_again": "{name} is no longer there. Drop it here again to go on.",
    "plan_taken": "The plan is now the current state. Undo takes it back.",
    "data_what": "{name}: {rows} rows, {columns} columns",
    "data_other": "Another table",
    "data_open": "Open a table",
    "data_drop": "Drop a CSV, Parquet, Excel, SPSS, Stata or SAS file here, or a plan (TOML). It stays on this computer and is removed when the studio ends.",
    "data_choose": "Choose a file",
    "data_failed": "The file could not be transferred.",
    "data_no_file": "No file at hand?",
    "data_database": "A database table",
    "data_url": "Database",
    "data_list": "List its tables",
    "data_tables": "{count:table|tables} that can be read. Pick one.",
    "data_no_tables": "There is no table in this database that you may read.",
    "data_search": "Find a table",
    "data_tables_more": "{count} more; write a part of the name.",
    "data_tables_none": "No table has this in its name.",
    "data_open_table": "Open",
    "data_password": "Leave out the password: it is read from the environment, as on the command line.",
    "data_more": "Show {count} more columns",
    "data_distinct": "{count} distinct",
    "data_missing": "{count} missing",
    "data_others": "{count:other value|other values}",
    "data_bars": "{name}: the distribution of its values",
    "data_binned": "Counted in {count} intervals.",
    "holds_numbers": "numbers",
    "holds_text": "text",
    "holds_dates": "dates",
    "holds_booleans": "true or false",
    "holds_other": "other",
    "data_role": "Role",
    "data_suggested": "Suggested: {role}. {why}",
    "data_domain": "Values: {domain} ({how})",
    "domain_categories": "{count} categories",
    "domain_dates": "dates {low} to {high}",
    "domain_numbers": "numbers {low} to {high} in steps of {step}",
    "data_quantity": "A quantity: its mean makes sense and may be released",
    "data_observed": "read from the data, and therefore published",
    "data_declared": "declared",
    "data_levels": "Hierarchy: {count} levels",
    "data_no_hierarchy": "No hierarchy",
    "data_edit": "Edit",
    "data_noticed": "{marker} stands in {rows:row|rows}: no answer?",
    "data_as_missing": "Treat as missing",
    "data_as_missing_label": "Treat {marker} as missing: {column}",
    "data_stray": "{cells:cell|cells} hold text where all others are numbers. List what stands there as missing when you open the file, and the column is read as numbers.",
    "flag_email": "e-mail addresses",
    "flag_phone": "telephone numbers",
    "flag_name": "names",
    "flag_address": "addresses",
    "flag_text": "free text",
    "flag_kept": "This column seems to name people directly, and it is not dropped. Make it an identifier, unless you know better.",
    "reason_email": "Its cells look like e-mail addresses.",
    "reason_phone": "Its cells look like telephone numbers.",
    "reason_text": "Its cells are free text, which may name anyone.",
    "reason_names": "Most rows have a different value, as with a name.",
    "reason_numbers": "Nearly every row has a different whole number, as in numbering people or households. If it is an amount, give it another role.",
    "reason_household": "It numbers households. Make it Person if the rows of a household belong together.",
    "reason_within": "It numbers the people of a household.",
    "reason_place": "A point on the map is somebody's home. To keep a place, use a region instead.",
    "reason_postcode": "It seems to be a postcode, which others may know about a person. A mask makes it coarser digit by digit.",
    "reason_design": "A stratum or cluster of the sample says where people live. Analysts need it for standard errors, so consider coarser ones.",
    "reason_birth": "With a place, a date of birth singles most people out; the year alone says less.",
    "reason_weight": "It looks like a survey weight, which analysts need. A weight that few rows have points to them, so round it to few values, or drop it.",
    "reason_sums": "Its numbers add up as survey weights do. A weight that few rows have points to them, so round it to few values, or drop it.",
    "reason_unusable": "No domain could be read from its cells.",
    "reason_repeats": "Its values repeat: make it Person if they say whose row each is.",
    "reason_or_weight": "If it is a survey weight and not a body weight, make it insensitive.",
    "reason_commas": "Its cells look like numbers with a decimal comma; open the file again with that decimal mark.",
    "reason_dates": "Its cells look like dates; open the file again, and choose how they are written.",
    "reason_identifier": "It seems to name or number people directly.",
    "reason_person": "It seems to say whose row each is.",
    "reason_quasi_identifier": "Nothing says that others cannot know it.",
    "reason_sensitive": "Its name is one of things that should not become known about a person.",
    "reason_insensitive": "It seems to identify nobody.",
    "chosen_title": "Open {name}",
    "chosen_lead": "Check the first rows before the file is opened. They are shown on this computer only and kept nowhere.",
    "chosen_settings": "How the file is written",
    "chosen_guessed": "Guessed from the beginning of the file; correct what is wrong. An empty cell is always missing. If you leave the markers as they are, the whole file is searched for others such as NA or ? when it is opened. The plan keeps these settings.",
    "chosen_encoding": "Encoding",
    "chosen_delimiter": "Delimiter",
    "chosen_decimal": "Decimal mark",
    "chosen_dates": "Dates",
    "chosen_missing": "Missing, separated by commas",
    "chosen_mark_comma": "Comma ,",
    "chosen_mark_semicolon": "Semicolon ;",
    "chosen_mark_tab": "Tab",
    "chosen_mark_bar": "Vertical bar |",
    "chosen_point": "Point 1.5",
    "chosen_comma": "Comma 1,5",
    "chosen_iso": "2001-12-31 only",
    "chosen_rows": "First rows",
    "chosen_shown": "{rows:row|rows} of {columns} columns. Types and missing cells are those of the beginning of the file.",
    "chosen_more": "{count} more columns are not shown here.",
    "chosen_absent": "missing",
    "chosen_open": "Open",
    "role_name_person": "Person: whose row it is, dropped",
    "role_name_identifier": "Identifier: dropped",
    "role_name_quasi_identifier": "Quasi-identifier: protected",
    "role_name_sensitive": "Sensitive",
    "role_name_insensitive": "Insensitive",
    "role_why_person": "It says whose row each is, where people or households have several. It is dropped, and guarantees are for people.",
    "role_why_identifier": "A name, a number, an address: it is never released.",
    "role_why_quasi_identifier": "Age, place, occupation: others may know it. Methods protect these columns.",
    "role_why_sensitive": "What must not become known about a person, such as an illness or an income.",
    "role_why_insensitive": "It identifies nobody and may be known. It is released unchanged.",
    # Hierarchies
    "tree_no_columns": "No column is a quasi-identifier, so nothing has to be made coarser.",
    "tree_column": "Column",
    "tree_edit": "Levels",
    "tree_text": "Levels as text",
    "tree_how_values": (
        "One value per line, then its coarser labels, finest first, separated by semicolons (the ARX format)."
    ),
    "tree_how_edges": (
        "One level per line, finest first: the edges of its intervals, separated by semicolons. Or one value per line, in the ARX "
        "format."
    ),
    "tree_long": "There are too many values to edit here. Use a file instead.",
    "tree_dates": "By month, quarter and year",
    "tree_order": "Merge adjacent values",
    "tree_masks": "Mask the ends of codes",
    "tree_star": "Keep or suppress (*)",
    "tree_drop": "Or drop a hierarchy file in the ARX format here.",
    "tree_effect": "Effect",
    "tree_effect_about": "Unique records are counted over all quasi-identifiers, the others being unchanged.",
    "tree_apply": "Apply",
    "tree_none": "No hierarchy",
    "tree_unsaved": "Not applied yet.",
    "tree_applied": "Applied.",
    "tree_level": "Level",
    "tree_labels": "Labels",
    "tree_some": "Level {level}: {labels}",
    "tree_loss": "Loss per cell",
    "tree_fewest": "Fewest rows per label",
    "tree_alone": "Unique records",
    # Risk
    "risk_alone": "of all rows are unique: {rows} of {all}",
    "risk_smallest": "is the size of the smallest equivalence class (k)",
    "risk_mean": "is the average probability of a correct link",
    "risk_sizes": "How many rows a person hides among",
    "risk_sizes_about": "Rows in an equivalence class agree in {columns}. Drag the line, or use the slider.",
    "risk_slider": "k",
    "risk_below": "{rows} rows ({share}) hide among fewer than k = {k}.",
    "risk_why": "Why they are unique",
    "risk_sets": "Smallest sets of columns that single out the most rows",
    "risk_columns": "Columns",
    "risk_nobody": "These columns single out nobody.",
    "and_more": "{columns} and {count} more",
    "risk_up_to": (
        "With {columns} quasi-identifiers, sets of up to {largest} columns were looked at; larger sets would take too long."
    ),
    "risk_attackers": "Who might try",
    "attacker_prosecutor": "Someone who looks for a certain person.",
    "attacker_prosecutor_knows": (
        "A neighbor or a colleague. They know these columns about one person, and that the person is in the table."
    ),
    "attacker_journalist": "Someone who wants to show that it can be done.",
    "attacker_journalist_knows": "They know these columns about everyone, but not who is in the table. Any person will do.",
    "attacker_marketer": "Someone who wants to link as many people as possible.",
    "attacker_marketer_knows": "They link every row they can, and accept that some links are wrong.",
    "risk_was": "Original",
    "risk_is": "Release",
    "risk_then": "after: {figure}",
    "risk_then_proved": "In the release no attacker links a row with a probability over {share} (proved); classes of perturbed rows do not show the risk.",
    "risk_then_nothing": "The release promises nothing about links, and the classes of its rows do not show the risk.",
    "risk_legend_before": "original",
    "risk_legend_below": "fewer than k rows",
    "risk_legend_after": "release",
    "risk_some": "Unique rows by columns",
    "risk_some_about": "Choose what an attacker may know, and count the rows that are unique in it.",
    "risk_some_count": "Count",
    "risk_some_none": "Choose at least one column.",
    "risk_told_apart": "Perturbed rows may look unique because of the noise, so they are not counted in the release.",
    "population": "Population",
    "population_about": (
        "Someone who does not know who is in the table has to choose among the whole population. Say how large it is, and the attackers "
        "below differ."
    ),
    "population_told": "What is known of it",
    "population_none": "Nothing",
    "population_size": "How many people it has",
    "population_share": "Which share of it is in the table",
    "population_weights": "Survey weights of the rows",
    "population_table": "A table of everyone in it",
    "population_people": "People",
    "population_percent": "Share, %",
    "population_column": "Column with the weights",
    "population_drop": "Drop the table of the population here: the same columns, one row for each person, everyone in the table included.",
    "population_given": "Table of the population: {name}",
    "population_random": "Estimated as if the rows were drawn at random (Benedetti and Franconi); with survey weights, each row stands for as many people as its weight.",
    "population_several": "Where people have several rows, the population is not used: they are counted in the table itself.",
    "population_unique": "{people} of the {population} people of the population ({share}) are unique in it ({how}).",
    "population_number": "Write a number.",
    "attacker_who": "Attacker",
    "attacker_most_before": "Highest, original",
    "attacker_mean_before": "Average, original",
    "attacker_most_after": "Highest, release",
    "attacker_mean_after": "Average, release",
    "grounds_counted": "counted",
    "grounds_estimated": "estimated",
    "grounds_at_most": "at most",
    "grounds_proved": "proved",
    "grounds_nothing": "nothing promised",
    "attacker_named_prosecutor": "Prosecutor",
    "attacker_named_journalist": "Journalist",
    "attacker_named_marketer": "Marketer",
    # Frontier
    "line_full_domain": "Generalization of whole columns",
    "line_groups": "Generalization in groups",
    "line_microaggregation": "Microaggregation",
    "line_pk_perturbation": "Pk-perturbation",
    "line_pk_all_told": "Pk-perturbation, every column told",
    "line_grouped_pk_perturbation": "Pk-perturbation in groups",
    "line_pk_and_sampling": "Pk-perturbation of a 90% sample",
    "frontier_k": "k",
    "frontier_limit": "A row may be linked with a probability of at most {share}.",
    "frontier_chart": "Utility of each method over k",
    "frontier_across": "k: safer to the right",
    "frontier_upward": "utility {side}: higher is better",
    "frontier_sides": "Which utility to show",
    "frontier_released": "As released",
    "frontier_reconstructed": "After reconstruction",
    "frontier_axis": "Across",
    "frontier_axis_k": "k that was asked for",
    "frontier_across_rung": "safer to the right",
    "frontier_recommended": (
        "At k = {k}, take {method} (k = {own}): utility {utility}, the most of all methods here that keep a link by quasi-identifiers "
        "at {risk} or less."
    ),
    "frontier_recommended_duties": (
        "At k = {k}, take {method} (k = {own}): utility {utility}, the most of all methods here that meet every duty ({duties})."
    ),
    "frontier_recommended_stronger": (
        "Against attackers who know the whole table, {method} (k = {own}) keeps {value}, with a utility of {utility}."
    ),
    "frontier_recommended_sampled": "Measured on {rows} random rows only: {methods}.",
    "frontier_large": (
        "This table is large. Slow methods are measured on {rows} random rows, and say so: on all rows they usually lose less. Their risk is the "
        "limit that the method is held to on any rows; on other rungs they count as promising nothing until they are applied. Utility after reconstruction "
        "comes from one short fit to all rows, which usually understates it. Everything else is measured on all rows. Every method is measured at a few k, and at "
        "the one where the slider is left."
    ),
    "frontier_recommended_none": "No method here meets every duty at k = {k} or more; see the verdict for changes that may help.",
    "frontier_recommended_waiting": "Nothing has been measured at this k yet.",
    "frontier_better": "k = {k} is at least as useful here, and safer: take it",
    "frontier_table": "Every method at this k",
    "frontier_method": "Method",
    "frontier_risk": "Highest link probability",
    "frontier_utility": "Utility",
    "frontier_loss": "Loss per cell",
    "frontier_actions": "Actions",
    "frontier_current": "chosen",
    "frontier_waiting": "not measured yet",
    "frontier_near": "measured at k = {k}",
    "frontier_sampled": "utility measured on {rows} random rows; the risk is the limit for all rows",
    "frontier_asked": "limit",
    "frontier_counted": "counted",
    "frontier_proved": "proven",
    "frontier_nothing": "nothing promised",
    "frontier_apply": "Apply",
    "frontier_pin": "Pin",
    "frontier_unpin": "Unpin",
    "frontier_pins": "Pinned",
    "frontier_no_pins": "Pin up to three to compare them here.",
    "frontier_none": "This method cannot be used on this table with this k.",
    "frontier_attackers": (
        "Utility is one minus the mean distance of two columns together (total variation): of the released rows as they are, or after "
        "recipients have reconstructed tables from them. Lines without a figure after reconstruction are drawn as released. Every "
        "line shows the best at this k or more. The risk of generalized "
        "and averaged rows is counted, against an attacker who knows the columns above. The risk of perturbed rows is proven, "
        "against an attacker who may know the whole table."
    ),
    # Lattice
    "lattice_down": "Down",
    "lattice_across": "Across",
    "lattice_best": "Go to the best for this k",
    "lattice_size": "{count} combinations of levels; up to {share} of the rows may be suppressed.",
    "lattice_tiles": "Two columns at a time",
    "lattice_two": "Choose two different columns.",
    "lattice_legend": "The number is the loss per cell. Hatched: k is not reached. Select a tile to look at it.",
    "lattice_tile": "Loss {loss}, {state}",
    "lattice_safe": "keeps k = {k}",
    "lattice_suppressing": (
        "keeps k = {k} once rows in smaller equivalence classes are suppressed, at most {share} of all rows"
    ),
    "lattice_unsafe": "does not keep k = {k}",
    "lattice_chosen": "This combination",
    "lattice_loss": "loss per cell",
    "lattice_smallest": "smallest equivalence class, before suppression",
    "lattice_classes": "equivalence classes",
    "lattice_apply": "Apply",
    "lattice_ranked": "Least loss for this k",
    "lattice_none": "No combination keeps k = {k}.",
    # Before and after
    "compare_score": "A model trained on it",
    "compare_attack": "An attack on it",
    "compare_attack_about": (
        "An attacker who knows the whole original table tries to link every row. A release is drawn for this and thrown away. It "
        "takes a while."
    ),
    "compare_attack_play": "Run the attack",
    "compare_column": "One column",
    "compare_cross": "Two columns together",
    "compare_associations": "Associations between columns",
    "compare_not_there": "This column is not in the release.",
    "compare_binned": "Its {values} values are counted in {count} intervals here.",
    "compare_first": "Down",
    "compare_second": "Across",
    "compare_cross_about": "Share of rows in the original → as released.",
    "compare_cross_undone": "Share of rows in the original → with the noise taken out.",
    "compare_some": "The {count} most common values of each column are shown.",
    "compare_target": "Predict",
    "compare_learn": "Train and score",
    "compare_original": "The original",
    "compare_learned": "Trained on",
    "compare_score_of": "Score on original rows",
    # Records
    "records_order": "Order",
    "records_by_risk": "Most at risk first",
    "records_by_row": "As in the table",
    "records_private": "These are people's rows. Nothing on this page is written, logged or sent anywhere.",
    "records_back": "Previous",
    "records_on": "Next",
    "records_page": "Page {page} of {pages}",
    "records_row": "Row",
    "records_risk": "Risk, original",
    "records_after_counted": "Risk, release (counted)",
    "records_after_proved": "Risk, release (at most, proven)",
    "records_after_nothing": "Risk, release (nothing promised)",
    "records_left_out": "not released",
    "records_alike": "Rows like it",
    "records_became": "its value in the release",
    "records_missing": "(missing)",
    # Verdict
    "verdict_no_duties": "No duty has been set yet: tick what this release must keep, on the Verdict screen.",
    "verdict_duties_good": "Every duty holds ({all} of {all}).",
    "verdict_duties_bad": "Not every duty holds ({failing} of {all} not met): {which}.",
    "verdict_duties_seeded": "No duty holds: the draws come from a seed, and nothing is promised against those who know it.",
    "verdict_good": "holds",
    "verdict_bad": "does not hold",
    "verdict_no_seed": "Draw without a seed",
    "verdict_advice_title": "Changes that may help",
    "verdict_advice_about": (
        "Each change is tried on this table: a release is drawn, its rungs are counted, its loss is measured, and it is thrown away. "
        "It takes a while."
    ),
    "verdict_try": "Try changes and measure them",
    "verdict_measure": "Measure",
    "verdict_now": "Now",
    "verdict_then": "With the change",
    "verdict_mends": "Mends: {rungs}",
    "verdict_mends_nothing": "It mends none of the rungs that fall short.",
    "verdict_take": "Apply this change",
    "verdict_impossible": "Not possible on this table",
    "verdict_loss": "Loss: how far tables of two columns are off on average (total variation), after the noise was taken out.",
    "verdict_on": "Go on to export",
    "verdict_back": "See the verdict",
    # Export
    "export_no_method": (
        "No method has been chosen yet. Choose one on the Frontier screen; this screen then shows what it makes."
    ),
    "export_choose": "Choose a method",
    "export_what": "What to take",
    "export_release": "The release: rows and manifest",
    "export_plan": "The plan, to run it again",
    "export_script": "A Python program that does the same",
    "export_report": "The report for the data holder (private)",
    "export_public_report": "The report for recipients (public)",
    "export_form": "Rows as",
    "export_form_quote": "CSV for spreadsheets",
    "export_formulas": (
        "A spreadsheet would run cells of {columns} as formulas. For people who open the file in one, choose CSV for spreadsheets, "
        "which quotes them."
    ),
    "export_name": "Name of the table in the reports",
    "export_name_about": "Both reports have this name. Leave it empty to keep the public report without one.",
    "export_seeded": "The draws come from a seed: for tests and research only.",
    "export_prepare": "Check again and prepare",
    "export_to_folder": "Write to a folder on this computer instead",
    "export_folder": "Folder",
    "export_write": "Write",
    "export_name_folder": "Name a folder first.",
    "export_promise": "The guarantees, checked again",
    "export_not_yet": (
        "The release is written and read back, and every guarantee is checked again before anything is offered."
    ),
    "export_recounted": "Read back and checked again on {rows} released rows. The guarantees hold:",
    "export_written": "Written to {folder}.",
    "export_take": "Download {name}",
    **FORMS,
}
