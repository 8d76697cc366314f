"""Japanese for what is said by utility and comparisons."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "Some value of the target {target!r} occurs in fewer rows than there are folds.": "目的変数{target!r}に、分割の数より少ない行にしか現れない値があります。",
    (
        "The hierarchy of {learned} was learned from rows. If rows of this table were among them, it has seen "
        "the test rows, and the scores are too good; name the column in hierarchies instead."
    ): (
        "{learned}の階層は行から学習されたものです。その中にこの表の行があれば、"
        "階層は評価用の行を見ていることになり、スコアが良く出すぎます。代わりに、hierarchies "
        "に列を指定してください。"
    ),
    "The method changes {target!r}; give it the role 'sensitive', so that it is released unchanged.": "この手法は{target!r}を変更します。そのまま公開されるように、役割 'sensitive' を与えてください。",
    "The method drops {absent}, which the target is predicted from.": "この手法は、目的変数の予測に使う{absent}を除きます。",
    "The method leaves out rows, so it cannot be tested on generalized rows; use test='raw'.": "この手法は行を削除するため、一般化された行では評価できません。test='raw' を使ってください。",
    "The target {target!r} has the same value in all rows, so there is nothing to predict.": "目的変数{target!r}はすべての行で同じ値なので、予測するものがありません。",
    "The target {target!r} must have a domain of categories and no missing cells.": "目的変数{target!r}には、区分の定義域が必要で、欠測があってはなりません。",
    "The target {target!r} would be generalized with the quasi-identifiers; give it the role 'sensitive'.": "目的変数{target!r}が、準識別子とともに一般化されてしまいます。役割 'sensitive' を与えてください。",
    "There is no column with a domain to predict the target from.": "目的変数の予測に使う、定義域のある列がありません。",
    "better needs a k that was compared, and a score of 'accuracy' or 'auc'.": "better には、比較した k と、'accuracy' または 'auc' のスコアを指定してください。",
    "columns must name one or two columns. Got {lines}.": "columns には、一つまたは二つの列を指定してください。指定されたのは {lines} 個です。",
    "compare needs at least one method and one k.": "compare には、少なくとも一つの手法と一つの k が必要です。",
    "cv must be at least 2, and a whole number. Got {cv}.": "cv は 2 以上の整数でなければなりません。指定された値は {cv} です。",
    "ks must be a list such as [2, 5, 10]. Got {ks!r}.": "ks は [2, 5, 10] のようなリストでなければなりません。指定された値は{ks!r}です。",
    "ks must be whole numbers of at least 1; k = 1 is the table unchanged.": "ks は 1 以上の整数でなければなりません。k = 1 は、変更していない表を表します。",
    "ks must hold a number above 1.": "ks には 1 より大きい数が必要です。",
    "learner must be one of {learners}. Got {learner!r}.": "learner は {learners} のいずれかでなければなりません。指定された値は{learner!r}です。",
    "learners must name at least one, such as {'trees': RandomForestClassifier()}.": "learners には、{'trees': RandomForestClassifier()} のように少なくとも一つを指定してください。",
    "methods and encoders must name at least one each.": "methods と encoders には、それぞれ少なくとも一つを指定してください。",
    "models are compared without weights; leave out the target, or the weights.": "モデルの比較では重みを使いません。目的変数か重みのどちらかを外してください。",
    "prepare must hold the steps that the release was made with: it was prepared by nothing.": "prepare には、公開データを作ったときの手順を指定してください。この公開データに前処理はありません。",
    "prepare must hold the steps that the release was made with: it was prepared by {steps}.": "prepare には、公開データを作ったときの手順を指定してください。この公開データの前処理は{steps}です。",
    "release must be a release, such as the one that anonymize or read_release returns.": "release には、anonymize や read_release が返すような公開データを指定してください。",
    "schema must be the schema that the release was made with.": "schema には、公開データを作ったときのスキーマを指定してください。",
    "target must hold numbers, dates or two categories; {column!r} does not.": "target は、数値、日付、または二つの区分の列でなければなりませんが、{column!r}はそうではありません。",
    "test must be 'raw', 'generalized' or 'both'. Got {test!r}.": "test は 'raw'、'generalized'、'both' のいずれかでなければなりません。指定された値は{test!r}です。",
    ("the columns have {width:,} values together, more than {widest:,}; name fewer columns, or recode some first."): (
        "列の値が合わせて {width:,} 個あり、上限の {widest:,} 個を超えています。列を減らすか、"
        "先にいくつかを再符号化してください。"
    ),
    "the learner {name!r} must be a model such as LogisticRegression().": "learner{name!r}には、LogisticRegression() のようなモデルを指定してください。",
    "the method {given!r} cannot be used: {problem}": "手法{given!r}は使えません。{problem}",
    "the original and the release have no column with a domain in common.": "元のデータと公開データに共通の、定義域のある列がありません。",
    "the release describes other values than the original; compare with the same schema.": "公開データの値が元のデータと異なります。同じスキーマで比較してください。",
    (
        "the released values of {column!r} are not those of the original; compare with the schema and the "
        "preparation that the release was made with, or leave the column out."
    ): (
        "{column!r}の公開された値が、元のデータのものではありません。"
        "公開データを作ったときのスキーマと前処理で比較するか、この列を除いてください。"
    ),
    "the rows drawn for training all have the same value of the target.": "学習のために抽出された行の目的変数が、すべて同じ値です。",
    "the table has no column with a domain to be compared.": "表に、比較できる定義域のある列がありません。",
    (
        "the table of {columns} would have more than {largest:,} cells; name other columns, or recode these first."
    ): "{columns}の表が {largest:,} セルを超えます。別の列を指定するか、先にこれらを再符号化してください。",
    "the target has only one value in the release, so there is nothing to explain.": "目的変数は公開データの中で値が一つしかないため、説明するものがありません。",
    "the target was generalized, so a logistic regression has no two values to explain.": "目的変数が一般化されているため、ロジスティック回帰で説明する二つの値がありません。",
    "the target {column!r} has only one value in the release.": "目的変数{column!r}は、公開データの中で値が一つしかありません。",
    "the target {column!r} has only one value, so there is nothing to predict.": "目的変数{column!r}は値が一つしかないため、予測するものがありません。",
    "the target {column!r} may have missing cells; explain another column.": "目的変数{column!r}には欠測がありえます。別の列を説明してください。",
    "the target {column!r} was generalized, so no model can learn its values.": "目的変数{column!r}が一般化されているため、その値を学習できるモデルはありません。",
    "there are fewer rows than coefficients; explain the target by fewer columns.": "行が係数より少なくなっています。目的変数を説明する列を減らしてください。",
    "there are no rows to fit a regression to.": "回帰を当てはめる行がありません。",
    "there is no column to explain the target by.": "目的変数を説明する列がありません。",
    "there is no column to predict the target from.": "目的変数の予測に使う列がありません。",
    "two methods have the same name; give a mapping with a name for each.": "二つの手法が同じ名前です。それぞれに名前を付けた対応を指定してください。",
    "{kind} has no k, so it cannot be compared by k.": "{kind} には k がないため、k で比較できません。",
    "{name!r} is not a column that can be compared.{hint}": "{name!r}は比較できる列ではありません。{hint}",
    "{name!r} is not a learner whose fit takes sample_weight; fit it to all rows.": "{name!r}は、fit が sample_weight を受け取る学習器ではありません。すべての行に当てはめてください。",
    "Compared on {rows:,} of {all:,} rows, drawn at random, which takes seconds; sample={all} compares on all of them. On all rows, methods usually lose less.": "数秒で済むよう、{all:,} 行から無作為に選んだ {rows:,} 行で比較しました。sample={all} とすると全行で比較します。全行では、損失は通常これより小さくなります。",
    "Compiling took {seconds:.1f} s of CPU on this first run; it is no method's cost, and the next run does without it.": "初回のため、コンパイルに CPU 時間 {seconds:.1f} 秒を使いました。手法の費用には含めず、次回からは不要です。",
}
