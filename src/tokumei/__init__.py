"""tokumei (匿名, "anonymous"): release personal microdata safely, and still get the right answers out of it.

A mechanism is the conditional distribution of the released record given the true record, and everyone may know it.
Anonymize = draw from it. Risk = what an attacker who knows it can believe. Reconstruct = invert it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.compiling import find_room
from tokumei.lazy import lazily

__version__ = "0.1.0"

find_room()

# One line for each public name: what most people need, then what is in the namespaces. Nothing is imported before it is
# used, so that `import tokumei` stays quick.
_EXPORTS = {
    "Attribute": "tokumei.table.schema",
    "Categories": "tokumei.table.domain",
    "ClassConditionalClassifier": "tokumei.reconstruction.class_conditional",
    "ClassConditionalRegressor": "tokumei.reconstruction.class_conditional_regressor",
    "Codebook": "tokumei.table.codebook",
    "CorrectedLinearRegression": "tokumei.reconstruction.corrected_linear",
    "CorrectedLogisticRegression": "tokumei.reconstruction.corrected_logistic",
    "CorrectedPoissonRegression": "tokumei.reconstruction.corrected_poisson",
    "Dates": "tokumei.table.domain",
    "DensityRatio": "tokumei.reconstruction.density_ratio",
    "Generalization": "tokumei.anonymizers.generalization",
    "GroupedPkPerturbation": "tokumei.anonymizers.grouped_pk_perturbation",
    "Guarantee": "tokumei.privacy.guarantee",
    "Hierarchy": "tokumei.table.hierarchy",
    "IterativeBayes": "tokumei.reconstruction.iterative_bayes",
    "LocalSuppression": "tokumei.anonymizers.local_suppression",
    "Microaggregation": "tokumei.anonymizers.microaggregation",
    "Numbers": "tokumei.table.domain",
    "PRAM": "tokumei.anonymizers.pram",
    "PkPerturbation": "tokumei.anonymizers.pk_perturbation",
    "Plan": "tokumei.plan",
    "RecordSuppression": "tokumei.anonymizers.record_suppression",
    "Release": "tokumei.release.artifact",
    "Repeat": "tokumei.anonymizers.repeat",
    "Sampling": "tokumei.anonymizers.sampling",
    "Schema": "tokumei.table.schema",
    "Swapping": "tokumei.anonymizers.swapping",
    "anonymize": "tokumei.engines.local",
    "assess": "tokumei.risk.assess",
    "assess_release": "tokumei.risk.releases",
    "attack": "tokumei.risk.attack",
    "check": "tokumei.risk.check",
    "combine": "tokumei.privacy.combined",
    "compare": "tokumei.utility.compare",
    "comparisons": "tokumei.comparisons",
    "constraints": "tokumei.constraints",
    "disclosure": "tokumei.disclosure",
    "encoders": "tokumei.encoders",
    "errors": "tokumei.errors",
    "example_census": "tokumei.examples",
    "example_schema": "tokumei.examples",
    "hierarchies": "tokumei.hierarchies",
    "ladder": "tokumei.risk.ladder",
    "measure_utility": "tokumei.utility.measures",
    "partitions": "tokumei.partitions",
    "plots": "tokumei.plots",
    "pool": "tokumei.learning.pool",
    "prepare": "tokumei.prepare",
    "rates": "tokumei.rates",
    "read_codebook": "tokumei.io.source",
    "read_release": "tokumei.release.files",
    "read_table": "tokumei.io.reading",
    "recommend": "tokumei.reports.recommending.recommend",
    "reconstruct": "tokumei.learning.reconstruct",
    "regress": "tokumei.learning.regress",
    "report": "tokumei.reports.report",
    "run": "tokumei.runner",
    "samples": "tokumei.samples",
    "splits": "tokumei.splits",
    "surveys": "tokumei.surveys",
    "synthesize": "tokumei.learning.synthesize",
    "tells": "tokumei.tells",
    "transitions": "tokumei.transitions",
    "comparisons.compare_regression": "tokumei.utility.regressions",
    "comparisons.compare_routes": "tokumei.utility.routes",
    "comparisons.contingency": "tokumei.utility.contingency",
    "comparisons.study": "tokumei.utility.study",
    "constraints.AlphaKAnonymity": "tokumei.privacy.alpha_k_anonymity",
    "constraints.BetaLikeness": "tokumei.privacy.constraints",
    "constraints.DeltaDisclosure": "tokumei.privacy.constraints",
    "constraints.DeltaPresence": "tokumei.privacy.population_constraints",
    "constraints.EnhancedBetaLikeness": "tokumei.privacy.enhanced_beta_likeness",
    "constraints.KMap": "tokumei.privacy.population_constraints",
    "constraints.LDiversity": "tokumei.privacy.constraints",
    "constraints.TCloseness": "tokumei.privacy.constraints",
    "disclosure.advise": "tokumei.reports.mending",
    "disclosure.assess_spark": "tokumei.risk.spark",
    "disclosure.class_sizes": "tokumei.engines.stream.class_sizes",
    "disclosure.collation_check": "tokumei.risk.collation",
    "disclosure.hold_back": "tokumei.risk.holding_back",
    "disclosure.in_population": "tokumei.risk.released_population",
    "disclosure.repeats": "tokumei.risk.repeats",
    "disclosure.side_by_side": "tokumei.risk.releases",
    "encoders.AncestorEncoder": "tokumei.learning.encoders.ancestor",
    "encoders.GroupStatistics": "tokumei.learning.encoders.statistics",
    "encoders.GroupStatisticsEncoder": "tokumei.learning.encoders.group_statistics",
    "encoders.LeafEncoder": "tokumei.learning.encoders.leaf",
    "encoders.RateEncoder": "tokumei.learning.encoders.rate",
    "encoders.WeightedCells": "tokumei.learning.weighted_cells",
    "encoders.encoder_for": "tokumei.learning.encoders.choice",
    "hierarchies.frequency_hierarchy": "tokumei.hierarchies.learned",
    "hierarchies.odds_hierarchy": "tokumei.hierarchies.learned",
    "partitions.Automatic": "tokumei.partition.automatic",
    "partitions.DBSCAN": "tokumei.partition.dbscan",
    "partitions.FarthestFirst": "tokumei.partition.microaggregation.farthest_first",
    "partitions.FixedLevels": "tokumei.partition.full_domain.fixed",
    "partitions.FlexDice": "tokumei.partition.microaggregation.path.flex_dice",
    "partitions.GridBlocks": "tokumei.partition.microaggregation.path.grid_blocks",
    "partitions.Lattice": "tokumei.partition.local_recoding.lattice",
    "partitions.LocalSearch": "tokumei.partition.microaggregation.local_search",
    "partitions.MDAV": "tokumei.partition.microaggregation.mdav",
    "partitions.Mondrian": "tokumei.partition.mondrian",
    "partitions.NearExact": "tokumei.partition.microaggregation.near_exact",
    "partitions.NearestGroups": "tokumei.partition.nearest",
    "partitions.NearestPointNext": "tokumei.partition.microaggregation.path.nearest_point_next",
    "partitions.NoiseAware": "tokumei.partition.noise_aware",
    "partitions.Optimal": "tokumei.partition.full_domain.optimal",
    "partitions.Published": "tokumei.partition.published",
    "partitions.TopDown": "tokumei.partition.top_down",
    "partitions.VMDAV": "tokumei.partition.microaggregation.vmdav",
    "partitions.frontier": "tokumei.partition.full_domain.frontier",
    "partitions.lattice_bound": "tokumei.partition.local_recoding.bound",
    "prepare.Drop": "tokumei.prepare.drop",
    "prepare.Mask": "tokumei.prepare.mask",
    "prepare.Pseudonymize": "tokumei.prepare.pseudonymize",
    "prepare.Recode": "tokumei.prepare.recode",
    "prepare.TopBottomCode": "tokumei.prepare.top_bottom_code",
    "rates.Rates": "tokumei.release.rates",
    "rates.ValueRates": "tokumei.anonymizers.value_rates",
    "rates.measure_rates": "tokumei.engines.rates",
    "samples.Bernoulli": "tokumei.anonymizers.sample",
    "samples.Stratified": "tokumei.anonymizers.sample",
    "samples.largest_sample": "tokumei.privacy.sampling",
    "samples.partial_risk": "tokumei.privacy.sampling",
    "splits.OptimisedSplit": "tokumei.anonymizers.suggest",
    "splits.suggest_split": "tokumei.anonymizers.suggest",
    "surveys.Calibration": "tokumei.plan.calibration",
    "surveys.by_record_type": "tokumei.table.households",
    "surveys.calibrate": "tokumei.plan.calibration",
    "surveys.calibrated_weights": "tokumei.release.calibration",
    "surveys.join": "tokumei.table.households",
    "surveys.lengthen": "tokumei.table.households",
    "surveys.totals_table": "tokumei.release.calibration",
    "surveys.widen": "tokumei.table.households",
    "surveys.widened_schema": "tokumei.table.households",
    "tells.Auto": "tokumei.anonymizers.auto_tells",
    "tells.Subsets": "tokumei.anonymizers.tells",
    "transitions.Banded": "tokumei.anonymizers.transitions",
    "transitions.Invariant": "tokumei.anonymizers.transitions",
    "transitions.KeepOrReplace": "tokumei.anonymizers.transitions",
    "transitions.Matrix": "tokumei.anonymizers.transitions",
}

if TYPE_CHECKING:
    from tokumei import comparisons as comparisons
    from tokumei import constraints as constraints
    from tokumei import disclosure as disclosure
    from tokumei import encoders as encoders
    from tokumei import errors as errors
    from tokumei import hierarchies as hierarchies
    from tokumei import partitions as partitions
    from tokumei import plots as plots
    from tokumei import prepare as prepare
    from tokumei import rates as rates
    from tokumei import samples as samples
    from tokumei import splits as splits
    from tokumei import surveys as surveys
    from tokumei import tells as tells
    from tokumei import transitions as transitions
    from tokumei.anonymizers.generalization import Generalization as Generalization
    from tokumei.anonymizers.grouped_pk_perturbation import GroupedPkPerturbation as GroupedPkPerturbation
    from tokumei.anonymizers.local_suppression import LocalSuppression as LocalSuppression
    from tokumei.anonymizers.microaggregation import Microaggregation as Microaggregation
    from tokumei.anonymizers.pk_perturbation import PkPerturbation as PkPerturbation
    from tokumei.anonymizers.pram import PRAM as PRAM
    from tokumei.anonymizers.record_suppression import RecordSuppression as RecordSuppression
    from tokumei.anonymizers.repeat import Repeat as Repeat
    from tokumei.anonymizers.sampling import Sampling as Sampling
    from tokumei.anonymizers.swapping import Swapping as Swapping
    from tokumei.engines.local import anonymize as anonymize
    from tokumei.examples import example_census as example_census
    from tokumei.examples import example_schema as example_schema
    from tokumei.io.reading import read_table as read_table
    from tokumei.io.source import read_codebook as read_codebook
    from tokumei.learning.pool import pool as pool
    from tokumei.learning.reconstruct import reconstruct as reconstruct
    from tokumei.learning.regress import regress as regress
    from tokumei.learning.synthesize import synthesize as synthesize
    from tokumei.plan import Plan as Plan
    from tokumei.privacy.combined import combine as combine
    from tokumei.privacy.guarantee import Guarantee as Guarantee
    from tokumei.reconstruction.class_conditional import ClassConditionalClassifier as ClassConditionalClassifier
    from tokumei.reconstruction.class_conditional_regressor import (
        ClassConditionalRegressor as ClassConditionalRegressor,
    )
    from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression as CorrectedLinearRegression
    from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression as CorrectedLogisticRegression
    from tokumei.reconstruction.corrected_poisson import CorrectedPoissonRegression as CorrectedPoissonRegression
    from tokumei.reconstruction.density_ratio import DensityRatio as DensityRatio
    from tokumei.reconstruction.iterative_bayes import IterativeBayes as IterativeBayes
    from tokumei.release.artifact import Release as Release
    from tokumei.release.files import read_release as read_release
    from tokumei.reports.recommending.recommend import recommend as recommend
    from tokumei.reports.report import report as report
    from tokumei.risk.assess import assess as assess
    from tokumei.risk.attack import attack as attack
    from tokumei.risk.check import check as check
    from tokumei.risk.ladder import ladder as ladder
    from tokumei.risk.releases import assess_release as assess_release
    from tokumei.runner import run as run
    from tokumei.table.codebook import Codebook as Codebook
    from tokumei.table.domain import Categories as Categories
    from tokumei.table.domain import Dates as Dates
    from tokumei.table.domain import Numbers as Numbers
    from tokumei.table.hierarchy import Hierarchy as Hierarchy
    from tokumei.table.schema import Attribute as Attribute
    from tokumei.table.schema import Schema as Schema
    from tokumei.utility.compare import compare as compare
    from tokumei.utility.measures import measure_utility as measure_utility
else:
    __all__, __getattr__, __dir__ = lazily(__name__, _EXPORTS)
