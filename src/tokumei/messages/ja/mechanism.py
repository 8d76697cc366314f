"""Japanese for what is said by mechanisms and channels."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "A column with more than {many_labels:,} labels that occur is too large for this; recode it first.": "出現するラベルが {many_labels:,} 個を超える列は、この処理には大きすぎます。先に再符号化してください。",
    (
        "The release describes its groups one by one, as earlier development versions wrote them, and this version does not read that; "
        "read it with the version that wrote it, or make it again."
    ): "この公開データは、以前の開発版の書き方でグループを一つずつ記しており、この版では読み込めません。書き出した版で読み込むか、作り直してください。",
    "The release says more about its groups than it means.": "公開データに、グループについて意味のない記述があります。",
    "A group of the release has a channel that does not fit its box.": "公開データに、通信路が範囲に合わないグループがあります。",
    "The mechanism does not say how the column {column!r} was made.": "列{column!r}がどのように作られたかが、機構に示されていません。",
    "The release describes a {kind} channel with parameters that are not possible.": "公開データに記された {kind} 通信路のパラメータが、ありえない値です。",
    "The release describes a {kind} channel with parameters that are not whole numbers.": "公開データに記された {kind} 通信路のパラメータが、整数ではありません。",
    "The release describes its groups by numbers that are not whole.": "公開データのグループが、整数でない数で記述されています。",
    "The release does not give as a whole number how many rows it was sampled from.": "公開データに、何行から抽出されたかが整数で示されていません。",
    "The release has a group that is not possible.": "公開データに、ありえないグループがあります。",
    "The release left out rows in a way that this version of tokumei does not know.": "公開データでの行の削除のしかたは、このバージョンの tokumei には分かりません。",
    "The release says that a label of {name!r} stands for values that it does not have.": "公開データによれば、{name!r}のあるラベルが、その列にない値を表しています。",
    "The rows of a group tell something that its box does not allow; the release is damaged.": "グループの行が、そのグループの範囲ではありえない内容を示しています。公開データが破損しています。",
    "The rows of the release are blank in part, and it does not say which group a row is in.": "公開データの行には空欄がありますが、各行がどのグループに属するかが示されていません。",
    "The release tells columns in a way that is not possible.": "公開データの列の示し方が、ありえないものです。",
    "The release tells {name!r} on a grid that is not possible.": "公開データの{name!r}が、ありえない格子で示されています。",
    "The release treats rows in a way that this version of tokumei does not know.": "公開データでの行の扱いは、このバージョンの tokumei には分かりません。",
    "The release uses a kind of channel that this version of tokumei does not know; upgrade tokumei.": "公開データは、このバージョンの tokumei にはない種類の通信路を使っています。tokumei を更新してください。",
    "The release was averaged in a way that this version of tokumei does not know; upgrade tokumei.": "公開データの平均のしかたは、このバージョンの tokumei には分かりません。tokumei を更新してください。",
    "The release was perturbed in groups that it does not describe.": "公開データはグループごとに攪乱されていますが、そのグループが記述されていません。",
    "The release was recoded in a way that this version of tokumei does not know; upgrade tokumei.": "公開データの再符号化のしかたは、このバージョンの tokumei には分かりません。tokumei を更新してください。",
    "a cluster has a channel that does not fit its columns.": "あるまとまりの通信路が、その列に合いません。",
    "a cluster is told on a grid that its column does not have.": "あるまとまりが、その列にない格子で示されています。",
    "a cluster needs at least one column, each once.": "まとまりには、少なくとも一つの列が、それぞれ一度だけ必要です。",
    "a grid Laplace channel needs a size, a decay of at most 2^64 and a shift below 64.": "格子ラプラス通信路には、大きさ、2^64 以下の減衰、64 未満のシフトが必要です。",
    "a grid Laplace channel with missing cells needs a flip between 0 and 2^64.": "欠測を含む格子ラプラス通信路には、0 と 2^64 の間の反転が必要です。",
    "a retention channel needs size and other of at least 1 and a total of its words.": "維持通信路には、1 以上の size と other、およびそれらに合う合計が必要です。",
    "a transition matrix may have at most {largest:,} values per side.": "遷移行列の値は、行・列それぞれ {largest:,} 個以下でなければなりません。",
    "a transition matrix must have numbers of at least 0; row {row} has others.": "遷移行列の要素は 0 以上の数でなければなりませんが、{row} 行目がそうなっていません。",
    "a transition matrix must have one row for each true value and a column for each released.": "遷移行列には、真の値ごとに 1 行、公開される値ごとに 1 列が必要です。",
    "a transition matrix needs between 1 and {largest} values on each side.": "遷移行列の値は、行・列それぞれ 1 個から {largest} 個まででなければなりません。",
    "each row of a transition matrix must sum to 1; row {row} sums to {total:g}.": "遷移行列の各行の和は 1 でなければなりませんが、{row} 行目の和は {total:g} です。",
    "every column must be told in some cluster, and no other.": "どの列も、いずれかのまとまりで示されなければならず、ほかの列が含まれてはなりません。",
    "rows can tell one of 1 to {most_clusters:,} clusters of columns.": "行が示せる列のまとまりは、1 個から {most_clusters:,} 個までです。",
    "the cells of {name!r} must be those of a level of its hierarchy.": "{name!r}のセルは、その階層のいずれかの段のものでなければなりません。",
    "the cells of {name!r} must begin at places of its domain, the first at 0.": "{name!r}のセルは定義域の値の位置から始まり、最初のものは 0 でなければなりません。",
    "the grids of {name!r} must be at least one, and different.": "{name!r}の格子は少なくとも一つ必要で、互いに異なっていなければなりません。",
    (
        "the perturbed columns have {sizes:,} values together, and a guarantee is possible for at most "
        "{largest_mechanism:,}; coarsen their domains, or drop some."
    ): (
        "攪乱される列の値は合わせて {sizes:,} 個ありますが、保証できるのは {largest_mechanism:,} 個までです。"
        "定義域を粗くするか、列をいくつか除いてください。"
    ),
    "the weights of clusters must be at least 1, and 2^32 together at most.": "まとまりの重みは 1 以上で、合計が 2^32 以下でなければなりません。",
    "the weights of each true value must not be negative and must sum to 2^32.": "それぞれの真の値の重みは、負でなく、合計が 2^32 でなければなりません。",
    (
        "{name!r} was generalized group by group, so its labels also depend on the other columns and rows, and "
        "it has no distribution of its own."
    ): (
        "{name!r}はグループごとに一般化されており、ラベルがほかの列や行にも左右されるため、"
        "この列だけの分布はありません。"
    ),
    (
        "{name!r} was perturbed with different noise in each group of rows, which this cannot handle; fit a "
        "model to the released rows directly, since they stay within the bounds of their groups, or estimate "
        "tables with IterativeBayes."
    ): (
        "{name!r}は行のグループごとに異なるノイズで攪乱されており、この方法では扱えません。"
        "公開された行はグループの範囲に収まっているので、それに直接モデルを当てはめるか、IterativeBayes "
        "で表を推定してください。"
    ),
    (
        "The release was swapped in a way that this version of tokumei does not know; upgrade tokumei."
    ): "この公開データの入れ替え方を、このバージョンの tokumei は知りません。tokumei を更新してください。",
}
