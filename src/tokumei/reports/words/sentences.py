"""Sentences that the library says in English, in Japanese: promises' assumptions, facts' reasons, what happens to a value.

A part in braces stands for anything; one whose name begins with ``names`` for quoted names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    # Attackers
    "Nobody to whom {names} {tells} nothing": "{names}から何の手がかりも得られない者は",
    "Nobody to whom {names} {tells} nothing and who does not know who was drawn": (
        "{names}から何の手がかりも得られず、誰が抽出されたかも知らない者は"
    ),
    "Nobody to whom {names} {tells} nothing, even if he knows who was drawn,": (
        "誰が抽出されたかを知っていても、{names}から何の手がかりも得られない者は"
    ),
    "Nobody, whatever he knows of the original table,": "元の表について何を知っている者であっても",
    "Nobody, whatever he knows of the original table but not of who was drawn,": (
        "元の表について何を知っていても、誰が抽出されたかを知らない者は"
    ),
    "Nobody, whatever he knows of the original table and of who was drawn,": (
        "元の表についても、誰が抽出されたかについても、何を知っている者であっても"
    ),
    "Nobody who knows of a person {names} and no more": "ある人について{names}だけを知っている者は",
    "Nobody who knows the records of {known} of the {people} people, and of the others only that they look alike, but not who was drawn,": (
        "{people} 人のうち {known} 人の記録を知り、ほかの人については似た記録をもつことしか知らず、誰が抽出されたかも知らない者は"
    ),
    "Every released row agrees with k rows at least, itself included, if a suppressed cell agrees with anything": (
        "秘匿されたセルはどの値とも一致するとみなせば、公開されたどの行も、それ自身を含む k 行以上と一致します"
    ),
    "What is released of a person's {names} is at most e^ε times as likely as if they were others": (
        "ある人の{names}として何が公開されるかの確率は、値が別のものであった場合の e^ε 倍を超えません"
    ),
    "Whoever knows of a person {names} is left with l different values of {names2} at least": (
        "ある人の{names}を知る者にも、{names2}の候補として異なる値が l 個以上残ります"
    ),
    "Whoever knows of a person {names} is left with l evenly spread values of {names2} at least": (
        "ある人の{names}を知る者にも、{names2}の候補が、均等な l 個の値に相当する以上に残ります（エントロピー）"
    ),
    "Whoever knows of a person {names} is left with l recursively ({c}, l)-diverse values of {names2} at least": (
        "ある人の{names}を知る者にとって、{names2}は再帰的 ({c}, l)-多様性を満たします"
    ),
    "To whoever knows of a person {names}, {names2} goes as in the whole release up to a distance ({distance}) of t": (
        "ある人の{names}を知る者から見た{names2}の分布は、公開データ全体の分布から距離（{distance}）t 以内にあります"
    ),
    "Knowing of a person {names} makes no value of {names2} more than e^δ times more or less likely": (
        "ある人の{names}を知っても、{names2}のどの値の確率も e^δ 倍を超えて増減しません"
    ),
    "Knowing of a person {names} raises the share of no value of {names2} by more than β times it": (
        "ある人の{names}を知っても、{names2}のどの値の割合も、全体での割合の β 倍を超えては増えません"
    ),
    # Assumptions
    "Each person has one row in the table.": "表の 1 行が 1 人に対応します。",
    "The labels were taken from an earlier release and do not depend on these rows; only which rows are suppressed does, and whoever knows how it is chosen may learn something from the choice.": (
        "ラベルは以前の公開データのものであり、今回の行には依存しません。どの行を秘匿するかだけが行に依存し、選び方を知る者は選択から何かを知るかもしれません。"
    ),
    "It is about this release alone: of a person who is also in the earlier one, whoever has both sees two classes, and those who are in both of them may be fewer than k.": (
        "この保証は今回の公開データだけについてのものです。以前の公開データにも含まれる人については、両方を持つ者には 2 つの同値類が見え、その両方に属する人は k 人より少ないかもしれません。"
    ),
    "{names} is a pseudonym: whoever has its key can name every row, and nothing is promised against him.": (
        "{names}は仮名です。鍵を持つ者はどの行が誰のものかを知ることができ、その者に対しては何も保証されません。"
    ),
    "Releases whose pseudonyms {names} have the same key can be joined row by row: each promises only what it does alone.": (
        "仮名{names}の鍵が同じ公開データどうしは、行ごとに結合できます。それぞれの保証は、単独の場合にだけ成り立ちます。"
    ),
    "A person with several rows has the same pseudonym {names} in each, so they can be put together: what is promised of rows holds for people who have one row.": (
        "複数の行をもつ人は、どの行でも仮名{names}が同じなので、行をまとめることができます。行についての保証は、1 行だけの人について成り立ちます。"
    ),
    "{names} shows characters of an identifier: whoever knows these of a person can tell his row from those that show others.": (
        "{names}は識別子の一部の文字を示します。ある人についてその文字を知る者は、ほかの文字の行と区別できます。"
    ),
    "Nobody has more than {n} in the table, as was counted.": "1 人の行は多くても {n}です（データから数えました）。",
    "Nobody has more than {n} in the table, as was declared and checked.": (
        "1 人の行は多くても {n}です（あらかじめ宣言され、確認されています）。"
    ),
    "A released row is linked to a person if it is believed to be any of the person's rows.": (
        "公開された行が、ある人の行のいずれかであると信じられるとき、その人と結び付けられたとみなします。"
    ),
    "It is counted on rows: a person with several rows in a class counts as often.": (
        "行を単位に数えています。同じ同値類に複数の行をもつ人は、その数だけ数えられます。"
    ),
    "{names}, released as it is, does not show which rows are one person's: whoever sees that can look for somebody who is in all their classes.": (
        "そのまま公開される{names}からは、どの行が同じ人のものかは分からないものとします。それが分かる者は、それらの行の同値類すべてに属する人を探せます。"
    ),
    "It is about all rows of a person together, {n} at most.": "1 人のすべての行（多くても {n} 行）をまとめた保証です。",
    "Nobody has more rows; it was counted, and the promises follow from it.": (
        "1 人の行はこれより多くありません。データから数えたもので、保証はこの数に基づきます。"
    ),
    "The draws and the order of the rows stay secret: the key was made by the operating system and is gone.": (
        "乱数と行の順序は秘密のままです。乱数の鍵はオペレーティングシステムが生成し、すでに破棄されています。"
    ),
    "The draws follow from a seed: the promise is void for whoever knows or guesses it.": (
        "乱数は指定されたシードから作られています。シードを知る者、言い当てる者に対しては、この保証は成り立ちません。"
    ),
    "The domains of {names} were read off the data, so they tell something about the rows.": (
        "{names}の定義域はデータから読み取ったものなので、元の行について何かを明かしています。"
    ),
    "The domains were declared, not read off the rows.": "定義域はあらかじめ宣言されたもので、データから読み取ったものではありません。",
    "{names}, released {told} the attacker nothing: he neither knows it of a person nor how it goes with the other columns. One who does is held back less, or not at all.": (
        "そのまま公開される{names}は、攻撃者の手がかりになりません。つまり攻撃者は、ある人のその値も、ほかの列との関係も知らないものとします。"
        "知っている者に対しては保証が弱まるか、成り立ちません。"
    ),
    "The attacker knows {names} of everybody: people hide within the classes that agree in it.": (
        "攻撃者は全員の{names}を知っているものとします。各人は、その値が一致する行の中に隠れます。"
    ),
    "The size of the sample was chance. The parameters were solved for a size that is exceeded with probability {delta} at most; the promise stated is for the size that came out.": (
        "標本の大きさは確率的に決まりました。パラメータは、超える確率が {delta} 以下の大きさに対して求めました。示した保証は実際の大きさに対するものです。"
    ),
    "The promise is about linking rows to people. It does not limit what is learned about everyone alike, nor hides that somebody is in the table.": (
        "この保証は、行と人との結び付けに関するものです。全員に共通して分かることを制限するものではなく、ある人が表に含まれていること自体を隠すものでもありません。"
    ),
    "The promise counts on {rows} rows among which a person hides at least.": "保証は、各人が少なくとも {rows} 行の中に隠れることに基づきます。",
    "The promise counts on {rows} rows among which a person hides at least, {out} of them not drawn.": (
        "保証は、各人が少なくとも {rows} 行（うち {out} 行は抽出されなかった行）の中に隠れることに基づきます。"
    ),
    "The promise counts on {rows} rows among which a person hides at least, {out} of them not drawn, {own} of them his own at most.": (
        "保証は、各人が少なくとも {rows} 行（うち {out} 行は抽出されなかった行、本人の行は多くても {own} 行）の中に隠れることに基づきます。"
    ),
    "The promise counts on {rows} rows among which a person hides at least, {own} of them his own at most.": (
        "保証は、各人が少なくとも {rows} 行（うち本人の行は多くても {own} 行）の中に隠れることに基づきます。"
    ),
    "The promise counts on the {n} of a group among which a person hides at least, {own} of them his own at most.": (
        "保証は、各人がグループの {n}（うち本人の行は多くても {own} 行）の中に隠れることに基づきます。"
    ),
    "He knows nothing of {names}, released as it is: whoever does can tell the rows of a class apart.": (
        "攻撃者は、そのまま公開される{names}について何も知らないものとします。知っている者は、同じ同値類の行を見分けられます。"
    ),
    "The release has no other columns.": "公開データにはほかの列がありません。",
    "It limits linking only: where the rows of a class agree in a sensitive value, the value is learned without any link.": (
        "制限されるのは結び付けだけです。同値類の行の機微な値がすべて同じなら、結び付けなくてもその値が分かります。"
    ),
    "What was done depends on the rows: whoever knows how it is chosen may learn something from the choice.": (
        "処理の内容は元の行に応じて決まりました。決め方を知る者は、その結果から何かを読み取れるかもしれません。"
    ),
    "{n} have stars in place of their cells because few were like them. They are missing not at random: what is estimated without them is not about everybody.": (
        "{n}は、似た行が少なかったためセルが秘匿されています。欠けているのは偶然ではないので、これらを除いた推定は全員についてのものにはなりません。"
    ),
    "{n} were left out because few were like them. They are missing not at random: what is estimated without them is not about everybody.": (
        "{n}は、似た行が少なかったため除かれています。欠けているのは偶然ではないので、これらを除いた推定は全員についてのものにはなりません。"
    ),
    "It promises less than k-anonymity: whoever knows what stood in a suppressed cell may be left with fewer rows than agree.": (
        "k-匿名性より弱い保証です。秘匿されたセルに何があったかを知る者には、一致する行数より少ない行しか候補に残らないことがあります。"
    ),
    "The attacker knows of a person {names} and nothing of {names2} beforehand but how it goes in the whole release.": (
        "攻撃者はある人の{names}を知り、{names2}については公開データ全体での分布しか知らないものとします。"
    ),
    "It is about each class of rows alike, one sensitive column at a time: what other columns released as they are say about it is not counted.": (
        "同値類ごと、機微な列ごとの保証です。そのまま公開されるほかの列から分かることは数えていません。"
    ),
    "It is about the perturbed columns, cell by cell, and needs neither the shuffle nor other rows.": (
        "攪乱された列のセルごとの保証で、行の並べ替えにも、ほかの行にも依存しません。"
    ),
    "The noise was shared out by a pilot of other people than those of the table. Its rows were compared with the table's and agree no more often than those of independent people; that nobody is in both is assumed.": (
        "ノイズの配分は、表の人々とは別の人々の予備データによって決めました。予備データの行は表の行と比較し、無関係な人々の場合より多くは一致しないことを確かめました。両方に含まれる人がいないことは仮定です。"
    ),
    "There is none for what is released as it is ({names}): its ε is infinite.": "そのまま公開される{names}には保証がありません（ε は無限大です）。",
    "The attacker knows of no value that it is unique in the whole table; code outliers to the top or bottom first.": (
        "攻撃者は、表全体で唯一であると分かっている値を知らないものとします。外れ値は、先に上限・下限の値へまとめてください。"
    ),
    "Whoever knows everybody's records, or who was drawn, recognises every unique row: against him nothing is promised.": (
        "全員の記録を知る者、または誰が抽出されたかを知る者は、唯一である行をすべて見分けられます。そのような者に対する保証はありません。"
    ),
    "Rows were put into groups by looking at them. The ends of a group's box are values that rows of it have, and they are published with the number of its rows.": (
        "行のグループ分けはデータを見て行いました。グループの範囲の両端は、そのグループの行が実際にもつ値であり、行数とともに公開されます。"
    ),
    "Rows were put into groups by looking at them. The groups' boxes, with their ends rounded outward, are published with the numbers of their rows.": (
        "行のグループ分けはデータを見て行いました。グループの範囲は、両端を外側に丸めたうえで、行数とともに公開されます。"
    ),
    "Whoever knows in which group a person is sees what its rows hold of the columns released as they are: where they all agree in one, he knows it of the person.": (
        "ある人がどのグループにいるかを知る者は、そのグループの行の、そのまま公開される列を見ることができます。値がすべて同じ列があれば、その人の値が分かります。"
    ),
    "The promise counts on the {n} of a group among which a person hides at least.": (
        "保証は、各人が少なくともグループ内の {n}の中に隠れることに基づきます。"
    ),
    "The promise counts on the {n} of a group that agree in the kept columns among which a person hides at least.": (
        "保証は、各人が少なくとも、グループ内でそのまま公開される列の値が一致する {n}の中に隠れることに基づきます。"
    ),
    "{n} left out count for nothing.": "除かれた{n}は数に入れていません。",
    "Cells are suppressed because few rows were like theirs. They are missing not at random: what is estimated from the other cells is not about everybody.": (
        "セルが秘匿されたのは、似た行が少なかったためです。欠けているのは偶然ではないので、残りのセルからの推定は全員についてのものにはなりません。"
    ),
    "Rows were put into groups by looking at them. The groups' boxes are published with the numbers of their rows. Their ends were rounded outward in {names}; in other columns they are values that rows of the group have.": (
        "行のグループ分けはデータを見て行いました。グループの範囲は行数とともに公開されます。範囲の両端は{names}では外側に丸められ、ほかの列ではそのグループの行が実際にもつ値です。"
    ),
    "What the published rates of {names} show is at most e^ε times as likely as if one person were another": (
        "公開される{names}の値の割合として何が示されるかの確率は、ある一人が別の人であった場合の e^ε 倍を超えません"
    ),
    "It is about these rates alone: nothing else that is released is part of it.": "この割合だけに関する保証で、ほかの公開内容は含みません。",
    "The number of rows is public, and further rates of the same people add their ε.": (
        "行数は公開されているものとします。同じ人々についてさらに割合を公開すると、その ε が加算されます。"
    ),
    "The rates of {names} are published as they are, the values of fewer than k rows pooled. They link no row to a person, and are true of all rows together: they narrow down what coarser cells hide.": (
        "{names}の値の割合は、k 行未満の値をまとめたうえで、真の値のまま公開されます。行を人に結び付けるものではありませんが、全行についての真の割合なので、"
        "一般化されたセルが隠している値を絞り込む手がかりになります。"
    ),
    # Facts
    "The holder publishes how often values occur in the whole table, so that learners can weigh the values that a coarser cell may stand for.": (
        "一般化されたセルが表しうる値に学習時に重みを付けられるように、表全体での各値の割合を保有者が公開しています。"
    ),
    "Invariant PRAM is built from them, and shows them.": "不変 PRAM の遷移行列はこの値から作られるので、行列からこの値が分かります。",
    "Whoever estimates from the sample weights its strata by these.": "標本から推定するとき、層の重み付けに使います。",
    "The promises count on these rows, for the attacker is taken to know {names}.": (
        "攻撃者が{names}を知っているとみなし、保証はこれらの行数に基づきます。"
    ),
    "The promises count on these rows, for people hide within their strata.": "各人は自分の層の中に隠れるので、保証はこれらの行数に基づきます。",
    "Levels were given by the holder, who may have looked at the rows.": "階層の段は作成者が決めました(データを見て決めた可能性があります)。",
    "Levels were chosen from the rows, so that the table loses least.": "失われる情報が最も少なくなるように、データを見て階層の段を選びました。",
    "Labels were taken from an earlier release, not chosen from these rows.": (
        "ラベルは以前の公開データのものであり、今回の行を見て選んだものではありません。"
    ),
    "Labels follow from groups of rows, so they show where in the domain rows lie.": (
        "ラベルは行のグループから決まるので、行が定義域のどこにあるかを示します。"
    ),
    "It lost least of those that were tried on the rows.": "実際の行で試したもののうち、失われる情報が最も少なかったものです。",
    "It was picked by the numbers of rows, columns and levels, and k.": "行・列・階層の段の数と k から選びました。",
    "So many rows have stars in place of their cells because few were like them: not at random.": (
        "これだけの行のセルが、似た行が少なかったために秘匿されています。偶然によるものではありません。"
    ),
    "So many rows were left out because few were like them: not at random.": (
        "これだけの行が、似た行が少なかったために除かれています。偶然によるものではありません。"
    ),
    "The weights were chosen by looking at the rows that are released.": "重みは、公開する行を見て選びました。",
    "The weights were chosen by looking at a pilot that has more rows in common with the table than independent people would, so they count as chosen by the rows that are released.": (
        "重みは予備データを見て選びましたが、予備データは無関係な人々の場合よりも多くの行が表と一致するため、公開する行を見て選んだものとみなします。"
    ),
    "The weights were chosen by looking at a pilot that was not compared with the table, so they count as chosen by the rows that are released.": (
        "重みは予備データを見て選びましたが、予備データを表と比較していないため、公開する行を見て選んだものとみなします。"
    ),
    "Every cell is an average over a group of rows; which rows were put together is private and cannot be undone.": (
        "どのセルも行のグループの代表値です。どの行が同じグループかは非公開で、元に戻すことはできません。"
    ),
    "Which cells are suppressed follows from the rows: few were like theirs.": "どのセルを秘匿するかは、似た行の少なさによって決まりました。",
    "The size of the smallest class is that of the rows.": "最小の同値類の大きさは、行を数えたものです。",
    "The domain, or the hierarchy over it, was read off rows instead of being declared.": "定義域またはその階層が、宣言ではなくデータから読み取られました。",
    "The labels of recoded columns follow from how the rows were recoded.": "一般化された列のラベルは、行の一般化のしかたから決まります。",
    "The domain, or the hierarchy over it, was read off rows instead of being declared. The labels of recoded columns follow from how the rows were recoded.": (
        "定義域またはその階層が、宣言ではなくデータから読み取られました。一般化された列のラベルは、行の一般化のしかたから決まります。"
    ),
    "It follows from facts of the data that are disclosed here.": "ここに示した、データから得た事実によって決まります。",
    # What happens to a value
    "released as it is": "そのまま公開",
    "released as it is, or suppressed": "そのまま公開、または秘匿",
    "suppressed in every row": "すべての行で秘匿",
    "made coarser, the same way in every row": "一般化（すべての行で同じ区分）",
    "made coarser, the same way in every row, or suppressed": "一般化（すべての行で同じ区分）、または秘匿",
    "made coarser in groups of rows that do not overlap": "一般化（重ならない行のグループごと）",
    "made coarser in groups of rows that do not overlap, or suppressed": "一般化（重ならない行のグループごと）、または秘匿",
    "made coarser in groups of rows that may overlap": "一般化（重なりうる行のグループごと）",
    "made coarser in groups of rows that may overlap, or suppressed": "一般化（重なりうる行のグループごと）、または秘匿",
    "the mean of a group of rows": "行のグループの平均値",
    "the median of a group of rows": "行のグループの中央値",
    "the most frequent value of a group of rows": "行のグループの最頻値",
    "the number of the row's group": "行が属するグループの番号",
    "perturbed within the box of its group of rows": "行が属するグループの範囲の中で攪乱",
    "has one value only, which is released": "値が 1 つしかなく、そのまま公開",
    "kept with probability {p}, else replaced by one of all {n} values at random": (
        "確率 {p} で維持し、それ以外は全 {n} 個の値から無作為に選んだ値に置き換え"
    ),
    "replaced by one of its {n} grid points drawn with equal chances": "{n} 個の格子点から等確率で選んだ値に置き換え",
    "moved on its grid of {n} points by bounded Laplace noise of scale {s} × its range": (
        "{n} 点の格子の上で、値域の {s} 倍の尺度をもつ有界ラプラスノイズを加える"
    ),
    "made missing, or if missing made a number drawn from the grid, with probability {p}; a number that stays is moved on its grid of {n} points by bounded Laplace noise of scale {s} × its range": (
        "確率 {p} で欠測に（欠測なら格子上の無作為な数値に）置き換え、残る数値には {n} 点の格子の上で、値域の {s} 倍の尺度をもつ有界ラプラスノイズを加える"
    ),
    "made missing, or if missing made a number drawn from the grid, with probability {p}; a number that stays is replaced by one of its {n} grid points drawn with equal chances": (
        "確率 {p} で欠測に（欠測なら格子上の無作為な数値に）置き換え、残る数値は {n} 個の格子点から等確率で選んだ値に置き換え"
    ),
    "released as one of {n} by a published table of probabilities (PRAM)": "公開された確率表により {n}のいずれかとして公開（PRAM）",
    "kept with probability {p} to {q}, otherwise changed by a published table of probabilities (PRAM)": (
        "確率 {p}～{q} で維持し、それ以外は公開された確率表に従って変更（PRAM）"
    ),
    # How beliefs were computed
    "exact, over every assignment of rows to people": "行と人のすべての対応を数え上げた厳密値",
    "balanced (Sinkhorn) over all people and rows": "すべての人と行にわたる均衡化（Sinkhorn 法）",
    "balanced by Bethe's approximation over all people and rows": "すべての人と行にわたる均衡化（Bethe 近似）",
    "he does not use the sizes of the strata": "層の大きさは使わない",
    "group by group": "グループごと",
    # What could not be measured
    "Attack: The release does not tell who is in which group; give attack the method instead, and it draws a release.": (
        "攻撃：公開データからは誰がどのグループにいるか分からないため、測定できません。計画ファイルを指定して報告書を作成すると、測定用の公開データを作って攻撃します。"
    ),
    "Attack: attack takes it that each person has one row, and this release is of people with several; the promise, which holds for all rows of a person together, is not measured for them.": (
        "攻撃：1 人 1 行を前提とするため、複数の行をもつ人の公開データについては測定していません。1 人のすべての行についての保証は上のとおりです。"
    ),
    "Collation: collation_check takes it that each person has one row; use tk.assess with person=... on the released rows.": (
        "照合：1 人 1 行を前提とするため、複数の行をもつ人の表については調べていません。"
    ),
    "Attack: the table has more than {n} rows; report on its plan to attack some of them.": (
        "攻撃：表が {n} 行を超えているため、測定していません。計画ファイルを指定して報告書を作成すると、一部の行について測定します。"
    ),
    "Reconstructed: This release was recoded in groups that overlap, so which cells a record got depends on other rows and cannot be undone; use its labels as they are, ask the holder for a release with partition=Optimal(), or take the risk with assume='coarsened at random'.": (
        "再構築：重なりうるグループごとに一般化されており、どのラベルになるかがほかの行にも左右されるため、元の分布に戻すことはできません。"
        "ラベルをそのまま使うか、partition=Optimal() による公開データを作成してください。"
    ),
    "{what}: {names} was suppressed in every row, so the release tells nothing about it.": (
        "{what}：{names}はすべての行で秘匿されており、公開データからは何も分かりません。"
    ),
    "{what}: {n} were suppressed because few were like them, so what is estimated is about the other {m}, not about everybody.": (
        "{what}：似た行が少ない {n}が秘匿されているため、推定は残りの {m}についてのもので、全員についてのものではありません。"
    ),
    "{what}: {n} were left out because few were like them, so what is estimated is not about everybody.": (
        "{what}：似た行が少ない {n}が除かれているため、推定は全員についてのものではありません。"
    ),
    "{what}: The estimate stopped after {n}; its log-likelihood may be {gap} below the best. Raise max_steps or tolerance.": (
        "{what}：推定は {n}で打ち切られました。対数尤度は最良の値より最大で {gap} 低い可能性があります。"
    ),
    "{what}: The release is a stratified sample with hidden labels, so its rows cannot be weighted: what is estimated from it is about the sample, not about the original.": (
        "{what}：ラベルを隠した層化標本なので行に重みを付けられず、推定は元の表ではなく標本についてのものです。"
    ),
    "{what}: {names} was averaged over groups of rows that only the holder knows, so it cannot be undone; use the released cells as they are, or ask the holder for a release by PkPerturbation or Generalization.": (
        "{what}：{names}は、保有者だけが知る行のグループの代表値に置き換えられているため、元の分布に戻すことはできません。公開されたセルをそのまま使ってください。"
    ),
}

COUNTED = re.compile(r"([\d,]+) (row|value|step)s?")
UNITS = {"row": "行", "value": "個の値", "step": "回の反復"}
MEASURES = {
    "As released": "そのまま",
    "Attack": "攻撃",
    "Learning after reconstruction": "再構築後の学習",
    "Learning from the release": "公開データからの学習",
    "Reconstructed": "再構築",
    "Telling rows apart": "行の見分け",
    "Utility": "有用性",
}


NAME = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""  # as Python quotes it


def _compiled(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", sentence)
    return re.compile("".join(re.escape(part) if place % 2 == 0 else _hole(part) for place, part in enumerate(parts)))


def _hole(name: str) -> str:
    """Return what stands for a part in braces; names are taken all together, so that none is lost in the next part."""
    return f"(?P<{name}>{NAME}(?:, {NAME})*)" if name.startswith("names") else f"(?P<{name}>.+?)"


PATTERNS = [(_compiled(english), japanese) for english, japanese in SENTENCES.items()]


def in_japanese(text: str) -> str | None:
    """Return a sentence of the library in Japanese, or nothing if it is not known.

    >>> in_japanese("{'age'} is new"), in_japanese("There is none for what is released as it is ('age', 'sex'): its ε is infinite.")
    (None, 'そのまま公開される「age」「sex」には保証がありません（ε は無限大です）。')
    """
    for pattern, japanese in PATTERNS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        parts = {
            key: _quoted(part) if key.startswith("names") else _counted(part) for key, part in found.groupdict().items()
        }
        if all(part is not None for part in parts.values()):
            return japanese.format(**parts)
    return None


def _quoted(part: str) -> str | None:
    """Return quoted names in Japanese brackets, or nothing if they are none."""
    try:
        given = ast.literal_eval(f"[{part}]")
    except (ValueError, SyntaxError):
        return None
    return "".join(f"「{name}」" for name in given) if all(isinstance(name, str) for name in given) else None


def _counted(part: str) -> str:
    """Return what was counted or measured with Japanese words."""
    return MEASURES.get(part) or COUNTED.sub(lambda found: f"{found[1]} {UNITS[found[2]]}", part)
