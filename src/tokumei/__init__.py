"""tokumei (匿名, "anonymous"): release personal microdata safely, and still get the right answers out of it.

A mechanism is the conditional distribution of the released record given the true record, and everyone may know it.
Anonymize = draw from it. Risk = what an attacker who knows it can believe. Reconstruct = invert it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tokumei.compiling import find_room

__version__ = "0.1.0"

find_room()

# One line for each name. Nothing is imported before it is used, so that `import tokumei` stays quick.
_EXPORTS = {
    "AncestorEncoder": "tokumei.learning.encoders.ancestor",
    "Attribute": "tokumei.table.schema",
    "Automatic": "tokumei.partition.automatic",
    "Banded": "tokumei.anonymizers.transitions",
    "Bernoulli": "tokumei.anonymizers.sample",
    "BetaLikeness": "tokumei.privacy.constraints",
    "Categories": "tokumei.table.domain",
    "ClassConditionalClassifier": "tokumei.reconstruction.class_conditional",
    "ClassConditionalRegressor": "tokumei.reconstruction.class_conditional_regressor",
    "CorrectedLinearRegression": "tokumei.reconstruction.corrected_linear",
    "CorrectedLogisticRegression": "tokumei.reconstruction.corrected_logistic",
    "DBSCAN": "tokumei.partition.dbscan",
    "Dates": "tokumei.table.domain",
    "DeltaDisclosure": "tokumei.privacy.constraints",
    "DensityRatio": "tokumei.reconstruction.density_ratio",
    "Drop": "tokumei.prepare.drop",
    "FarthestFirst": "tokumei.partition.microaggregation.farthest_first",
    "FixedLevels": "tokumei.partition.full_domain.fixed",
    "FlexDice": "tokumei.partition.microaggregation.path.flex_dice",
    "Generalization": "tokumei.anonymizers.generalization",
    "GridBlocks": "tokumei.partition.microaggregation.path.grid_blocks",
    "GroupStatistics": "tokumei.learning.encoders.statistics",
    "GroupStatisticsEncoder": "tokumei.learning.encoders.group_statistics",
    "GroupedPkPerturbation": "tokumei.anonymizers.grouped_pk_perturbation",
    "Guarantee": "tokumei.privacy.guarantee",
    "Hierarchy": "tokumei.table.hierarchy",
    "Invariant": "tokumei.anonymizers.transitions",
    "IterativeBayes": "tokumei.reconstruction.iterative_bayes",
    "KeepOrReplace": "tokumei.anonymizers.transitions",
    "LDiversity": "tokumei.privacy.constraints",
    "Lattice": "tokumei.partition.local_recoding.lattice",
    "LeafEncoder": "tokumei.learning.encoders.leaf",
    "LocalSearch": "tokumei.partition.microaggregation.local_search",
    "LocalSuppression": "tokumei.anonymizers.local_suppression",
    "MDAV": "tokumei.partition.microaggregation.mdav",
    "Mask": "tokumei.prepare.mask",
    "Matrix": "tokumei.anonymizers.transitions",
    "Microaggregation": "tokumei.anonymizers.microaggregation",
    "Mondrian": "tokumei.partition.mondrian",
    "NearExact": "tokumei.partition.microaggregation.near_exact",
    "NearestGroups": "tokumei.partition.nearest",
    "NearestPointNext": "tokumei.partition.microaggregation.path.nearest_point_next",
    "NoiseAware": "tokumei.partition.noise_aware",
    "Numbers": "tokumei.table.domain",
    "Optimal": "tokumei.partition.full_domain.optimal",
    "OptimisedSplit": "tokumei.anonymizers.suggest",
    "PRAM": "tokumei.anonymizers.pram",
    "PkPerturbation": "tokumei.anonymizers.pk_perturbation",
    "Plan": "tokumei.plan",
    "Pseudonymize": "tokumei.prepare.pseudonymize",
    "Published": "tokumei.partition.published",
    "RateEncoder": "tokumei.learning.encoders.rate",
    "Rates": "tokumei.release.rates",
    "Recode": "tokumei.prepare.recode",
    "RecordSuppression": "tokumei.anonymizers.record_suppression",
    "Release": "tokumei.release.artifact",
    "Sampling": "tokumei.anonymizers.sampling",
    "Schema": "tokumei.table.schema",
    "Stratified": "tokumei.anonymizers.sample",
    "TCloseness": "tokumei.privacy.constraints",
    "TopBottomCode": "tokumei.prepare.top_bottom_code",
    "TopDown": "tokumei.partition.top_down",
    "VMDAV": "tokumei.partition.microaggregation.vmdav",
    "ValueRates": "tokumei.anonymizers.value_rates",
    "WeightedCells": "tokumei.learning.weighted_cells",
    "anonymize": "tokumei.engines.local",
    "assess": "tokumei.risk.assess",
    "assess_release": "tokumei.risk.releases",
    "assess_spark": "tokumei.risk.spark",
    "attack": "tokumei.risk.attack",
    "check": "tokumei.risk.check",
    "class_sizes": "tokumei.engines.stream.class_sizes",
    "collation_check": "tokumei.risk.collation",
    "combine": "tokumei.privacy.combined",
    "compare": "tokumei.utility.compare",
    "compare_regression": "tokumei.utility.regressions",
    "compare_routes": "tokumei.utility.routes",
    "contingency": "tokumei.utility.contingency",
    "encoder_for": "tokumei.learning.encoders.choice",
    "errors": "tokumei.errors",
    "example_census": "tokumei.examples",
    "example_schema": "tokumei.examples",
    "frequency_hierarchy": "tokumei.hierarchies.learned",
    "frontier": "tokumei.partition.full_domain.frontier",
    "largest_sample": "tokumei.privacy.sampling",
    "lattice_bound": "tokumei.partition.local_recoding.bound",
    "measure_rates": "tokumei.engines.rates",
    "measure_utility": "tokumei.utility.measures",
    "odds_hierarchy": "tokumei.hierarchies.learned",
    "partial_risk": "tokumei.privacy.sampling",
    "plots": "tokumei.plots",
    "read_release": "tokumei.release.files",
    "reconstruct": "tokumei.learning.reconstruct",
    "report": "tokumei.reports.report",
    "run": "tokumei.runner",
    "side_by_side": "tokumei.risk.releases",
    "study": "tokumei.utility.study",
    "suggest_split": "tokumei.anonymizers.suggest",
}

if TYPE_CHECKING:
    from tokumei import errors as errors
    from tokumei import plots as plots
    from tokumei.anonymizers.generalization import Generalization as Generalization
    from tokumei.anonymizers.grouped_pk_perturbation import GroupedPkPerturbation as GroupedPkPerturbation
    from tokumei.anonymizers.local_suppression import LocalSuppression as LocalSuppression
    from tokumei.anonymizers.microaggregation import Microaggregation as Microaggregation
    from tokumei.anonymizers.pk_perturbation import PkPerturbation as PkPerturbation
    from tokumei.anonymizers.pram import PRAM as PRAM
    from tokumei.anonymizers.record_suppression import RecordSuppression as RecordSuppression
    from tokumei.anonymizers.sample import Bernoulli as Bernoulli
    from tokumei.anonymizers.sample import Stratified as Stratified
    from tokumei.anonymizers.sampling import Sampling as Sampling
    from tokumei.anonymizers.suggest import OptimisedSplit as OptimisedSplit
    from tokumei.anonymizers.suggest import suggest_split as suggest_split
    from tokumei.anonymizers.transitions import Banded as Banded
    from tokumei.anonymizers.transitions import Invariant as Invariant
    from tokumei.anonymizers.transitions import KeepOrReplace as KeepOrReplace
    from tokumei.anonymizers.transitions import Matrix as Matrix
    from tokumei.anonymizers.value_rates import ValueRates as ValueRates
    from tokumei.engines.local import anonymize as anonymize
    from tokumei.engines.rates import measure_rates as measure_rates
    from tokumei.engines.stream.class_sizes import class_sizes as class_sizes
    from tokumei.examples import example_census as example_census
    from tokumei.examples import example_schema as example_schema
    from tokumei.hierarchies.learned import frequency_hierarchy as frequency_hierarchy
    from tokumei.hierarchies.learned import odds_hierarchy as odds_hierarchy
    from tokumei.learning.encoders.ancestor import AncestorEncoder as AncestorEncoder
    from tokumei.learning.encoders.choice import encoder_for as encoder_for
    from tokumei.learning.encoders.group_statistics import GroupStatisticsEncoder as GroupStatisticsEncoder
    from tokumei.learning.encoders.leaf import LeafEncoder as LeafEncoder
    from tokumei.learning.encoders.rate import RateEncoder as RateEncoder
    from tokumei.learning.encoders.statistics import GroupStatistics as GroupStatistics
    from tokumei.learning.reconstruct import reconstruct as reconstruct
    from tokumei.learning.weighted_cells import WeightedCells as WeightedCells
    from tokumei.partition.automatic import Automatic as Automatic
    from tokumei.partition.dbscan import DBSCAN as DBSCAN
    from tokumei.partition.full_domain.fixed import FixedLevels as FixedLevels
    from tokumei.partition.full_domain.frontier import frontier as frontier
    from tokumei.partition.full_domain.optimal import Optimal as Optimal
    from tokumei.partition.local_recoding.bound import lattice_bound as lattice_bound
    from tokumei.partition.local_recoding.lattice import Lattice as Lattice
    from tokumei.partition.microaggregation.farthest_first import FarthestFirst as FarthestFirst
    from tokumei.partition.microaggregation.local_search import LocalSearch as LocalSearch
    from tokumei.partition.microaggregation.mdav import MDAV as MDAV
    from tokumei.partition.microaggregation.near_exact import NearExact as NearExact
    from tokumei.partition.microaggregation.path.flex_dice import FlexDice as FlexDice
    from tokumei.partition.microaggregation.path.grid_blocks import GridBlocks as GridBlocks
    from tokumei.partition.microaggregation.path.nearest_point_next import NearestPointNext as NearestPointNext
    from tokumei.partition.microaggregation.vmdav import VMDAV as VMDAV
    from tokumei.partition.mondrian import Mondrian as Mondrian
    from tokumei.partition.nearest import NearestGroups as NearestGroups
    from tokumei.partition.noise_aware import NoiseAware as NoiseAware
    from tokumei.partition.published import Published as Published
    from tokumei.partition.top_down import TopDown as TopDown
    from tokumei.plan import Plan as Plan
    from tokumei.prepare.drop import Drop as Drop
    from tokumei.prepare.mask import Mask as Mask
    from tokumei.prepare.pseudonymize import Pseudonymize as Pseudonymize
    from tokumei.prepare.recode import Recode as Recode
    from tokumei.prepare.top_bottom_code import TopBottomCode as TopBottomCode
    from tokumei.privacy.combined import combine as combine
    from tokumei.privacy.constraints import BetaLikeness as BetaLikeness
    from tokumei.privacy.constraints import DeltaDisclosure as DeltaDisclosure
    from tokumei.privacy.constraints import LDiversity as LDiversity
    from tokumei.privacy.constraints import TCloseness as TCloseness
    from tokumei.privacy.guarantee import Guarantee as Guarantee
    from tokumei.privacy.sampling import largest_sample as largest_sample
    from tokumei.privacy.sampling import partial_risk as partial_risk
    from tokumei.reconstruction.class_conditional import ClassConditionalClassifier as ClassConditionalClassifier
    from tokumei.reconstruction.class_conditional_regressor import (
        ClassConditionalRegressor as ClassConditionalRegressor,
    )
    from tokumei.reconstruction.corrected_linear import CorrectedLinearRegression as CorrectedLinearRegression
    from tokumei.reconstruction.corrected_logistic import CorrectedLogisticRegression as CorrectedLogisticRegression
    from tokumei.reconstruction.density_ratio import DensityRatio as DensityRatio
    from tokumei.reconstruction.iterative_bayes import IterativeBayes as IterativeBayes
    from tokumei.release.artifact import Release as Release
    from tokumei.release.files import read_release as read_release
    from tokumei.release.rates import Rates as Rates
    from tokumei.reports.report import report as report
    from tokumei.risk.assess import assess as assess
    from tokumei.risk.attack import attack as attack
    from tokumei.risk.check import check as check
    from tokumei.risk.collation import collation_check as collation_check
    from tokumei.risk.releases import assess_release as assess_release
    from tokumei.risk.releases import side_by_side as side_by_side
    from tokumei.risk.spark import assess_spark as assess_spark
    from tokumei.runner import run as run
    from tokumei.table.domain import Categories as Categories
    from tokumei.table.domain import Dates as Dates
    from tokumei.table.domain import Numbers as Numbers
    from tokumei.table.hierarchy import Hierarchy as Hierarchy
    from tokumei.table.schema import Attribute as Attribute
    from tokumei.table.schema import Schema as Schema
    from tokumei.utility.compare import compare as compare
    from tokumei.utility.contingency import contingency as contingency
    from tokumei.utility.measures import measure_utility as measure_utility
    from tokumei.utility.regressions import compare_regression as compare_regression
    from tokumei.utility.routes import compare_routes as compare_routes
    from tokumei.utility.study import study as study

__all__ = [*_EXPORTS, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise _unknown(name)
    module = importlib.import_module(_EXPORTS[name])
    return module if name in {"errors", "plots"} else getattr(module, name)


def _unknown(name: str) -> AttributeError:
    from tokumei.text import nearest

    hint = "" if name.startswith("_") else nearest(name, _EXPORTS)
    # A name of its own keeps Python from adding a second guess to the sentence.
    return AttributeError(f"module 'tokumei' has no attribute {name!r}.{hint}".removesuffix("."), name=name)


def __dir__() -> list[str]:
    return sorted(__all__)
