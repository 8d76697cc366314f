"""What the library says in Japanese: one sentence for each key, the same keys and parameters in every language."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.words.forms.ja import FORMS

WORDS: Mapping[str, str] = {
    "unknown.unknown": "新しいバージョンで作成された項目：{unknown}",
    "raw.raw": "{text}（原文は英語）",
    "raw.message": "{text}",
    "this_assumes": "前提：",
    # 概念
    "notion.Pk-anonymity": "Pk-匿名性",
    "notion.sampling anonymity": "標本抽出による匿名性",
    "notion.differential privacy": "差分プライバシー",
    "notion.local differential privacy": "局所差分プライバシー",
    "notion.central differential privacy": "中央型差分プライバシー",
    "notion.k-anonymity": "k-匿名性",
    "notion.k-anonymity with wildcards": "ワイルドカード付き k-匿名性",
    "notion.probabilistic k-anonymity": "確率的 k-匿名性",
    "notion.l-diversity": "l-多様性",
    "notion.t-closeness": "t-近似性",
    "notion.delta-disclosure privacy": "δ-開示プライバシー",
    "notion.beta-likeness": "β-類似性",
    "notion.enhanced beta-likeness": "強化 β-類似性",
    "notion.(alpha, k)-anonymity": "(α, k)-匿名性",
    "notion.k-map": "k-マップ性",
    "notion.delta-presence": "δ-存在秘匿性",
    # 攻撃者
    "attacker.whole_table": "元の表について何を知っている攻撃者であっても",
    "attacker.whole_table.secret": "元の表について何を知っていても、誰が抽出されたかを知らない攻撃者は",
    "attacker.whole_table.known": "元の表についても、誰が抽出されたかについても、何を知っている攻撃者であっても",
    "attacker.learns_nothing_from": "{columns}から何の手がかりも得られない攻撃者は",
    "attacker.learns_nothing_from.secret": "{columns}から何の手がかりも得られず、誰が抽出されたかも知らない攻撃者は",
    "attacker.learns_nothing_from.known": "誰が抽出されたかを知っていても、{columns}から何の手がかりも得られない攻撃者は",
    "attacker.knows_only": "ある人について{columns}だけを知っている攻撃者は",
    "attacker.knows_records": "{people} 人のうち {known} 人の記録を知っていても、誰が抽出されたかを知らない攻撃者は",
    "attacker.knows_population": "母集団の {people} 人全員の{columns}を知っていても、そのうち誰が表に含まれるかを知らない攻撃者は",
    "attacker.knows_all_but_one": "一つの列の値を除いて、元の表のすべてと全員のグループを知っている攻撃者であっても",
    "attacker.knows_others": "元の表のほかの行をすべて知っている攻撃者であっても",
    "attacker.anyone": "何を知っている攻撃者であっても",
    # 保証
    "promise.not_checked": "このバージョンでは確認されていません。新しいバージョンで作成された項目：{key}",
    "unit.person": "人",
    "unit.household": "世帯",
    "promise.linking": "{attacker}、公開された行を 1/{value} を超える確率で{someone}に結び付けることはできません（{notion}、{letter} = {value}）。",
    "promise.cell_linking": "{attacker}、公開されたその列の値を 1/{value} を超える確率で{someone}に結び付けることはできません（{notion}、{letter} = {value}）。",
    "promise.agreement": (
        "秘匿されたセルはどの値とも一致するとみなせば、公開されたどの行も、それ自身を含む {value} 行以上と一致します"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.diversity.distinct": (
        "ある人の{columns}だけを知る攻撃者にも、{column:name}の候補として異なる値が {value} 個以上残ります（{notion}、{letter} = {value}）。"
    ),
    "promise.diversity.entropy": (
        "ある人の{columns}だけを知る攻撃者にも、{column:name}の候補が、均等な {value} 個の値に相当する以上に残ります"
        "（エントロピー {notion}、{letter} = {value}）。"
    ),
    "promise.diversity.recursive": (
        "ある人の{columns}だけを知る攻撃者にとって、{column:name}は再帰的 ({c}, {value})-多様性を満たします（{notion}、{letter} = {value}）。"
    ),
    "promise.closeness.equal": (
        "ある人の{columns}だけを知る攻撃者から見た{column:name}の分布は、公開データ全体の分布から {value} 以内にあります"
        "（全変動距離。{notion}、{letter} = {value}）。"
    ),
    "promise.closeness.ordered": (
        "ある人の{columns}だけを知る攻撃者から見た{column:name}の分布は、公開データ全体の分布から {value} 以内にあります"
        "（順位にもとづく Earth Mover's Distance。{notion}、{letter} = {value}）。"
    ),
    "promise.closeness.hierarchical": (
        "ある人の{columns}だけを知る攻撃者から見た{column:name}の分布は、公開データ全体の分布から {value} 以内にあります"
        "（階層にもとづく Earth Mover's Distance。{notion}、{letter} = {value}）。"
    ),
    "promise.bounded_disclosure": (
        "ある人の{columns}を知っても、{column:name}のどの値の確率も e^{value} 倍を超えて増減しません（{notion}、{letter} = {value}）。"
    ),
    "promise.bounded_gain": (
        "ある人の{columns}を知っても、{column:name}のどの値の割合も、全体での割合の {value} 倍を超えては増えません"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.bounded_gain_or_log": (
        "ある人の{columns}を知っても、{column:name}のどの値の割合も、全体での割合 q の min({value}, -ln q) 倍を超えては増えません"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.bounded_share": (
        "ある人の{columns}だけを知る攻撃者から見て、その人のものでありうる行のうち、{column:name}が同じ値である行の割合はどの値についても "
        "{value} を超えません（{notion}、{letter} = {value}）。"
    ),
    "promise.bounded_share.values": (
        "ある人の{columns}だけを知る攻撃者から見て、その人のものでありうる行のうち、{column:name}が{values}である行の割合は、それぞれ "
        "{value} を超えません（{notion}、{letter} = {value}）。"
    ),
    "promise.presence": (
        "母集団の {people} 人全員の{columns}を知る攻撃者にとって、そのうちの誰についても、表に含まれる確率は {least} 以上 {value} 以下です"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.row_epsilon": (
        "ある人の{columns}として何が公開されるかの確率は、真の値が別のものであった場合の e^{value} 倍を超えません"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.rates_epsilon": (
        "公開される{columns}の値の割合として何が示されるかの確率は、ある一人の記録が別のものであった場合の e^{value} 倍を超えません"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.joint_epsilon": (
        "すべての公開データとして何が示されるかの確率は、ある一人の記録が別のものであった場合の e^{value} 倍を超えません"
        "（{notion}、{letter} = {value}）。"
    ),
    "promise.central_epsilon": (
        "{attacker}、ある一人の記録についてはほとんど何も分かりません。何が公開されるかの確率は、その人の記録が別のものであった場合の"
        " e^{value} 倍を、確率 {delta:g} の範囲を除いて超えません（{notion}、{letter} = {value}、δ = {delta:g}）。"
    ),
    "promise.joint_central_epsilon": (
        "{attacker}、すべての公開データを合わせても、ある一人の記録についてはほとんど何も分かりません。何が示されるかの確率は、その人の記録が"
        "別のものであった場合の e^{value} 倍を、確率 {delta:g} の範囲を除いて超えません（{notion}、{letter} = {value}、δ = {delta:g}）。"
    ),
    # 段階：どの攻撃者に対して何を保証するか
    "rung.linked": "{attacker}、公開された行を 1/{k} を超える確率で{someone}に結び付けることはできません。",
    "rung.linked_cell": "{attacker}、公開されたその列の値を 1/{k} を超える確率で{someone}に結び付けることはできません。",
    "rung.linked_alike": (
        "元の表全体を知っている攻撃者に対しては k = {k} です。公開された行を{someone}に結び付けられる確率は最大 1/{k} です。どの行にも、公開されたすべての列で同じ行が自身を含めて "
        "{rows} 行以上あるからです（公開された行で数えた値）。"
    ),
    "rung.linked_in_classes": (
        "{columns}も知っている攻撃者に対しては k = {k} です。公開された行を{someone}に結び付けられる確率は最大 1/{k} です。その値が一致する行の最小の組が "
        "{rows} 行だからです（公開された行で数えた値）。"
    ),
    "rung.told_apart": (
        "{columns}も知っている攻撃者に対しては k = 1 です。同じ値を持つ行がほかにない行があり、確実に結び付けられるおそれがあります（公開された行で数えた値）。"
    ),
    "rung.shares": (
        "{attacker}、{column:name}の値を {largest} を超える確信をもって推測することはできません。同値類で最も多い値の割合は平均 {average} "
        "（公開データ全体では {overall}）で、値が一つしかない同値類に属する行は {agreed} です。"
    ),
    "rung.shares.certain": (
        "準識別子を知っている攻撃者には、行の {agreed} について{column:name}が確実に分かります。値が一つしかない同値類に属するからです。同値類で最も多い値の割合は平均 "
        "{average}（公開データ全体では {overall}、最大 {largest}）です。"
    ),
    "rung.from_share": (
        "{attacker}、{column:name}の値を {belief} を超える確信をもって推測することはできません。最も多い値の割合は {share} で、ある値のオッズは最大でも "
        "{factor} 倍にしかなりません。"
    ),
    "rung.from_even": (
        "{attacker}、{column:name}の値のオッズを {factor} 倍を超えて高めることはできません（ε = {epsilon}）。50% の確信は最大でも {belief} になります。"
    ),
    "rung.from_even.delta": (
        "{attacker}、{column:name}の値のオッズを {factor} 倍を超えて高めることはできません（ε = {epsilon}、δ = {delta}）。50% の確信は最大でも "
        "{belief} になります。"
    ),
    "rung.differenced.table": (
        "{attacker}、残る一行が別のものであった場合の e^{epsilon} 倍を超える確率で生じる公開データを見ることは、確率 {delta} を除いてありません"
        "（ε = {epsilon}、δ = {delta}）。"
    ),
    "rung.differenced.row": (
        "{attacker}、残る一行が別のものであった場合の e^{epsilon} 倍を超える確率で生じる公開データを見ることはありません"
        "（ε = {epsilon}、その行自身のノイズによる）。"
    ),
    "rung.drawn": (
        "{attacker}、元の表の誰についても、抽出されたことを {belief} を超える確信をもって推測することはできません。公開前の確率は {prior} です。"
    ),
    "rung.one_of_them": (
        "{attacker}、ある人が（別の人ではなく）表に含まれるというオッズを {factor} 倍を超えて高めることはできません（ε = {epsilon}、δ = {delta}）。"
        "50% の確信は最大でも {belief} になります。"
    ),
    "rung.present": (
        "母集団の {people} 人のそれぞれが表に含まれる確率は、準識別子を知っている攻撃者にとって {smallest} から {largest} の間です（δ-存在秘匿性、数えた値）。"
    ),
    "rung.before": "公開前に、母集団の {people} 人のうちのある人が表に含まれる確率は {prior} です。",
    "rung.present_as_stated": "{attacker}、母集団の誰についても、表に含まれる確率が {smallest} 未満または {largest} 超であると推測することはできません（δ-存在秘匿性）。",
    "rung.in_sample": (
        "元の表の {people} 人のそれぞれが公開データに含まれる確率は、準識別子を知っている攻撃者にとって {smallest} から {largest} の間です"
        "（δ-存在秘匿性、数えた値）。"
    ),
    "rung.nothing_kept": "保証はありません。{columns}が変更されずに公開されるため、他の行との差から残る一行の値が分かります。",
    "rung.nothing_looked": (
        "保証はありません。ラベル、グループ、秘匿するレコードがすべての行を見て選ばれているため、残りを知っている者には最後の一行が分かるおそれがあります。"
    ),
    "rung.nothing_swapped": (
        "保証はありません。値は公開されないグループの中で交換されており、{column:name}の値が一つしかないグループでは、全員がその値を持つことが確実です。"
    ),
    "rung.nothing_unchanged": "保証はありません。行が変更されずに公開されるため、知っている行は見分けられます。",
    "rung.nothing_observed": "保証はありません。定義域またはノイズが行を見て選ばれているため、ε は成り立ちません。",
    "rung.nothing_stated": "保証はありません。この公開データは ε を示していません。",
    "rung.nothing_certain": "保証はありません。ノイズによってあり得なくなる{column:name}の値があるため、公開された値から確実に分かる場合があります。",
    "rung.nothing_in_boxes": "保証はありません。{column:name}は行を見て選ばれた範囲の中で攪乱されており、行の属する範囲は公開されています。",
    "rung.nothing_of_all_rows": "まだ保証はありません。一部の行しか調べておらず、これはすべての行によって決まります。",
    "rung.nothing_called_sensitive": "保証はありません。機微な属性の列が公開されていないため、何も調べていません。",
    "rung.nothing_in_blocks": "保証はありません。行の並べ替えはブロックの中だけで行われ、{columns}が各ブロックにどう分かれているかは公開されていません。",
    "rung.nothing_of_presence": "保証はありません。表のすべての行が使われており、誰が含まれるかを隠すものはありません。",
    "rung.nothing_in_strata": "保証はありません。各層または各組に何人いるかが公開されていないため、上限を導けません。",
    "rung.nothing_of_people": "保証はありません。一人が複数の行を持ち、そのどれからも含まれていることが分かるおそれがあります。",
    "rung.nothing_of_people.household": "保証はありません。一世帯が複数の行を持ち、そのどれからも含まれていることが分かるおそれがあります。",
    "rung.original_as_it_is": "元の表は何も保証しません。",
    "rung_assumption.only_shuffle_secret": (
        "公開された行の順序は無作為で秘密です。ほかに秘密である必要のあるものはなく、攻撃者は手法とその選択をすべて知っていてもかまいません。"
    ),
    "rung_assumption.one_row_in_release": "一人が公開データに持つ行は最大 {most:,} 行です。",
    "rung_assumption.one_row_in_release.household": "一世帯が公開データに持つ行は最大 {most:,} 行です。",
    "rung_assumption.classes_tell_nothing": (
        "同値類の作り方は{columns}について何も示しません。また、推測されるのは等しい値であり、近いだけの数値は異なる値として数えます。"
    ),
    "rung_assumption.classes_judged": (
        "同値類は機微な列も見て作られています。手法を知っている攻撃者は、避けられた分け方から何かを知るおそれがあります。"
    ),
    "rung_assumption.others_of_person_known": (
        "攻撃者はその人の他の列を知っているか、それらは{column:name}について何も示しません。そうでなければ、それらの列の ε が加わります。"
    ),
    "rung_assumption.except_delta": "確率 {delta} で成り立たないことがあります。",
    "rung_assumption.pseudonym_key_secret": "{columns}の鍵は秘密であり、仮名は攻撃者に何も示しません。",
    "rung_assumption.population_complete": "母集団には全員が含まれ、公開データと同じように一般化されています。",
    # Recommendations
    "recommend.title": "どの手法、どの k を選び、どう説明するか",
    "recommend_title.answer": "推奨",
    "recommend_title.ranking": "順位",
    "recommend_title.rungs": "各手法が各種の攻撃者に対して保証すること",
    "recommend_title.choice": "選択そのものが明かすこと",
    "recommend_title.approval": "承認文書用の段落",
    "recommend_title.impossible": "試さなかった、または不可能だった手法",
    "recommend.method": "手法",
    "recommend.meets": "義務を満たすか",
    "recommend.yes": "はい",
    "recommend.no": "いいえ",
    "recommend.score": "モデルのスコア",
    "recommend.released_rows": "公開される行",
    "recommend.seconds": "CPU 秒",
    "recommend.on_all_rows": "（全行）",
    "recommend_side.released": "公開時の損失",
    "recommend_side.reconstructed": "再構成後の損失",
    "recommend_side.expected": "見込まれる損失",
    "recommend.special": "（{special}）",
    "recommend_special.all": "（各行がすべての列を示す）",
    "recommend_special.known": "（そのまま公開する列を既知とみなす）",
    "recommend_special.perturb": "（すべての列を攪乱）",
    "recommend_purpose.tables": "2 列の表",
    "recommend_purpose.model": "{target:name}を予測するモデル",
    "recommend_purpose.records": "元の行に似た個票",
    "recommend.duty": "{name}は {allowed} 以下",
    "recommend.line_asked": "義務：{duties}。順位の基準：{purpose}。",
    "recommend.asked": "この公開データが満たすべき義務：{duties}。用途：{purpose}。",
    "recommend.promises": "各種の攻撃者に残る確率または ε の上限：{rungs}。",
    "recommend.survives": (
        "手法は表そのもので試されたため、どの手法が選ばれたかは行に依存し、公開データはそのことを開示します。結び付けに関する保証は、どの手法が選ばれても成り立ちます。"
        "Pk-匿名性と確率的 k-匿名性は、対象の列を知り、したがって選択も知りうる攻撃者に対して、個々の表ごとに成り立ち、k-匿名性と同値類に関する制約は公開された行で数えられるからです。"
        "選択によって失われるのは ε です。ε は 1 人だけ異なる表を比べるものであり、そのような表の間で選択が異なりうるため、示していません。"
        "攻撃者が知らないとみなす列や、攻撃者が知らない他の人（標本抽出）に関する仮定には、{tried} 手法から 1 つを選んだことが明かす内容も含まれるようになります。"
    ),
    "recommend.covers": (
        "選択は、行数、宣言された列、義務、用途だけから決まります。この大きさのどの表でも同じ選択になるため、何も明かさず、ε を含むすべての保証が記載どおり成り立ちます。"
    ),
    "recommend.by_hand": "このページを見て別の手法を選ぶ場合も、行を見て選んだことになります。公開データがそれを示すよう、計画の [chosen] を残してください。",
    "recommend.rungs_how": (
        "各数値は、その種の攻撃者に残る確率または ε の最大値です。仕組みから証明されたもの、公開された行で数えたもの、または保証なしのいずれかです。✓ と ✗ は義務の成否です。"
    ),
    "recommend_how.tables": "損失：2 列の表と元の表との全変動距離の平均（0 は同一、1 は共通部分なし）。各手法の最もよい見方で比べます。",
    "recommend_how.model": (
        "損失：公開データから学習したモデルのスコアが、元の表から学習したモデルをどれだけ下回るか（元の行での正解率、数値では R²）。各手法の最もよい見方で比べます。"
    ),
    "recommend_how.records": (
        "損失：ロジスティックモデルで元の行とどれだけ見分けられるか（pMSE の最大値に対する割合、0 は見分けられない）。再構成後は、補完した行を比べます。各手法の最もよい見方で比べます。"
    ),
    "recommend_how.expected": "損失：公開の数値から見込まれる、再構成後の表の誤差（全変動距離）。",
    "recommend.loses_least": "{method}を推奨します。試した {tried} 手法のうち義務を満たす {meeting} 手法の中で、損失が最も小さいからです。",
    "recommend.only_one": "{method}を推奨します。試した {tried} 手法のうち、義務を満たすのはこれだけです。",
    "recommend.promises_nothing": (
        "義務にない攻撃に対しては、この手法は何も保証しません：{rungs}。これらも問題になる場合は義務に加えてください。別の手法が推奨されることがあります。"
    ),
    "recommend.costs.tables": "2 列の表のずれは平均 {lost:.3f} です（全変動距離）。",
    "recommend.costs.model": "公開データから学習したモデルの元の行でのスコアは {score:.3f} で、元の表から学習したモデルより {lost:.3f} 低くなります。",
    "recommend.no_worse": "公開データから学習したモデルの元の行でのスコアは {score:.3f} で、元の表から学習したモデルを下回りません（{more:.3f} 上回っています）。",
    "recommend.costs.records": "元の行と見分けられる程度は、pMSE の最大値の {lost:.3f} です。",
    "recommend.costs.expected": "再構成後の表の誤差は {lost:.3f} と見込まれます（全変動距離、公開の数値による）。",
    "recommend.next_is": "次点は{method}で、損失は {more:.3f} 大きくなります。",
    "recommend.next_to_nothing": "これではほとんど何も残りません。列を減らす、定義域を粗くする、義務を緩める、行を増やすことで改善します。",
    "recommend.hardly_left": "{columns}はほぼすべての行で秘匿され、ほとんど残りません。階層や再符号化で値を粗くすれば、より多くのことが分かります。",
    "recommend.none_meets": "これらの義務を満たす手法はありません。{tried} 手法を試しました。",
    "recommend.nearest_met": "満たせる義務のうち最も近いもの：{duties}（{method}による）。",
    "recommend.nothing_near": "すべての段階で近づける手法はありません。義務を緩めるか、列を外してください。",
    "recommend.looked.all": "手法は全 {rows:,} 行で試しました。",
    "recommend.looked.sample": "順位は {of:,} 行から無作為に選んだ {rows:,} 行で付けました。全行では、損失は通常これより小さくなります。",
    "recommend.not_looked": "選択は公開の数値だけによるもので、そのために行は見ていません。",
    "recommend.confirmed": "推奨した手法は全 {rows:,} 行でも実行し、義務が成り立つことを確かめました。",
    "recommend.enforced": "義務は手法の保証の一部です。全行の公開データがそれを満たさなければ、公開は拒否されます。",
    "recommend.compiled_for": "初回のため、コンパイルに CPU 時間 {seconds} 秒を使いました。手法の費用には含めず、次回からは不要です。",
    "recommend.needs_known": "試していません。攻撃者が何人を知っているかの指定（known、--known）が必要です。",
    "recommend.needs_categories": "試していません。カテゴリーの列だけを変えるため、先に{columns}を再符号化してください。",
    "recommend.needs_more": "試していません。k だけからは作れません。",
    "recommend.wrote": "書き出しました：{files}。ページを読んでから、次を実行してください：{command}",
    "recommend.wrote_no_plan": "書き出しました：{files}。義務を満たす手法がないため、計画はありません。",
    "recommend.holder_only": "これらのファイルは元の表について述べているため、データ保有者だけのものです。",
    "mend.as_it_was": "現状のまま",
    "mend.diversify": "各同値類に{column:name}の異なる値が {different} 個以上あることを求める",
    "mend.close": "各同値類の{column:name}の分布が全体から {t} 以内であることを求める（t-近似性）",
    "mend.count_kept": '{columns}を既知とみなし、それに必要なノイズを加える（kept = "known"）',
    "mend.perturb_kept": '{columns}も攪乱する（kept = "perturb"）',
    "mend.bound_epsilon": '他の行をすべて知る者に対して ε = {epsilon} が成り立つまで、すべての列を攪乱する（kept = "perturb"）',
    "mend.perturb_all": '代わりにすべての列を攪乱する（pk_perturbation、k = {k}、kept = "perturb"）',
    "mend.take_sample": "行の {share:.0%} の標本だけを公開する",
    "mend.raise_k": "k = {k} を求める",
    "mend.top_code": "{column:name}を {high} でトップコーディングする",
    "mend.leave": "{column:name}を外す",
    "mend.title": "この表で試した変更",
    "mend.change": "変更",
    "mend.loss": "損失",
    "mend.impossible": "不可能",
    "mend.legend": "損失は、ノイズを補正したあとの 2 列の表のずれの平均（全変動距離）です。✓ は、その変更によって改善される段階です。",
    "mend.none": "改善すべき点、または試せる変更がありません。",
    "mend.line": "{place} {change}：{mend} {loss}",
    "mend.in_plan": "計画の行：{lines}",
    "ladder.title": "誰に対して何を保証するか",
    "ladder.rung": "攻撃",
    "ladder.original": "元のデータ",
    "ladder.release": "公開データ",
    "ladder.how": "根拠",
    "ladder.none": "上限なし",
    "ladder.proved": "証明",
    "ladder.counted": "計数",
    "ladder.nothing": "保証なし",
    "ladder.name.linking": "準識別子による結び付け",
    "ladder.name.whole_table": "表全体の知識による結び付け",
    "ladder.name.inference": "推論",
    "ladder.name.differencing": "差分攻撃",
    "ladder.name.membership": "所属",
    "ladder.who.linking": "人々の準識別子を知っている攻撃者。数値は正しく結び付けられる確率の上限です。",
    "ladder.who.whole_table": "元の表全体を知っている攻撃者。数値は正しく結び付けられる確率の上限です。",
    "ladder.who.inference": "結び付けずに機微な値を推測する攻撃者。数値はある値への確信の上限です。",
    "ladder.who.differencing": "他の行をすべて知っている攻撃者。ε は残る一行が公開データを変え得る度合いの上限です。",
    "ladder.who.membership": "ある人が表に含まれるかどうかを問う攻撃者。数値はその確信の上限です。",
    "ladder.duty.holds": "{name}：{value}（許容 {allowed}）。満たしています。",
    "ladder.duty.fails": "{name}：{value}（許容 {allowed}）。満たしていません。",
    "ladder.assumes": "それぞれの前提",
    "ladder.lower": "数値が小さいほど安全です。100% は何も保証されないことを意味します。",
    "ladder.chart": "確率または確信の上限",
    # 前提：人と行
    "assumption.one_row": "表の 1 行が 1 人に対応します。",
    "assumption.most_rows.declared": "1 人の行は多くても {most} 行です（あらかじめ宣言され、確認されています）。",
    "assumption.most_rows.counted": "1 人の行は多くても {most} 行です（データから数えました）。",
    "assumption.most_rows.declared.household": "1 世帯の行は多くても {most} 行です（あらかじめ宣言され、確認されています）。",
    "assumption.most_rows.counted.household": "1 世帯の行は多くても {most} 行です（データから数えました）。",
    "assumption.any_of_their_rows.household": (
        "公開された行が、ある世帯の行のいずれかに由来すれば、正しく結び付けられたとみなします。したがって、保証は世帯の一人ひとりにも当てはまります。"
    ),
    "assumption.all_rows_together.household": "1 世帯のすべての行（多くても {most} 行）をまとめた保証です。",
    "assumption.any_of_their_rows": "公開された行が、ある人の行のいずれかに由来すれば、正しく結び付けられたとみなします。",
    "assumption.counted_on_rows": "人ではなく行を単位に数えています。同じ同値類に複数の行をもつ人は、その数だけ数えられます。",
    "assumption.columns_do_not_join": (
        "そのまま公開される{columns}からは、どの行が同じ人または世帯のものかは分からないものとします。それが分かる攻撃者は、それらの行の同値類すべてに共通する人や世帯を探せます。"
    ),
    "assumption.all_rows_together": "1 人のすべての行（多くても {most} 行）をまとめた保証です。",
    # 前提：乱数
    "assumption.secret_key": "乱数と行の順序は秘密のままです。乱数の鍵はオペレーティングシステムが生成し、保存されていません。",
    "assumption.seeded": "乱数は指定されたシードから作られています。シードを知る者、言い当てる者に対しては何も保証されません。",
    "assumption.key_kept": (
        "乱数はデータ保有者が保管する鍵（公開名 {name}）から決まり、同じ鍵による他の公開データでも繰り返されます。"
        "鍵と行の順序は秘密に保たれます。鍵を持つ者に対しては何も保証されません。"
    ),
    # 前提：攻撃者の知識
    "assumption.observed_domains": "{columns}の定義域はデータから読み取ったものなので、元の行について何かを明かすことがあります。",
    "assumption.declared_domains": "定義域はすべてあらかじめ宣言されたもので、データから読み取ったものではありません。",
    "assumption.kept_unknown": (
        "そのまま公開される{columns}は、攻撃者の手がかりになりません。つまり攻撃者は、ある人のその値も、ほかの列との関係も知らないものとします。"
        "知っている攻撃者に対しては保証が弱まるか、成り立ちません。"
    ),
    "assumption.kept_known": "攻撃者は全員の{columns}を知っているものとします。各人は、その値が一致する行の中に隠れます。",
    "assumption.others_unknown": (
        "攻撃者は、そのまま公開される{columns}について何も知らないものとします。知っている者は、同じ同値類の行を見分けられることがあります。"
    ),
    "assumption.no_other_columns": "公開データにはほかの列がありません。",
    "assumption.prior_is_overall": (
        "攻撃者はある人の{columns}を知り、{column:name}については公開データ全体での分布しか知らないものとします。"
    ),
    "assumption.no_value_known_unique": (
        "攻撃者は、表全体で一意であると分かっている値を知らないものとします。外れ値は、先に上限・下限の値へまとめてください（トップ・ボトムコーディング）。"
    ),
    "assumption.unique_rows_recognized": (
        "全員の記録を知る攻撃者、または誰が抽出されたかを知る攻撃者は、一意なレコードをすべて見分けられます。そのような攻撃者に対する保証はありません。"
    ),
    # 前提：保証されないこと
    "assumption.linking_only": (
        "この保証は、行と人との結び付けに関するものです。全員に共通して推測できることを制限するものではなく、ある人が表に含まれていること自体を隠すものでもありません。"
    ),
    "assumption.class_linking_only": (
        "制限されるのは結び付けだけです。同値類の行の機微な値がすべて同じなら、結び付けなくてもその値が分かります。"
    ),
    "assumption.one_column_only": (
        "同値類ごと、機微な列ごとの保証です。そのまま公開されるほかの列から分かることは数えていません。"
    ),
    "assumption.weaker_than_classes": (
        "k-匿名性より弱い保証です。秘匿されたセルの値を知る攻撃者には、より少ない行しか候補に残らないことがあります。"
    ),
    "assumption.cell_by_cell": "攪乱された列についての行ごとの保証で、行の並べ替えにも、ほかの行にも依存しません。",
    "assumption.kept_without_epsilon": "そのまま公開される{columns}には保証がありません（ε は無限大です）。",
    "assumption.whole_release_shuffled": (
        "公開されるすべての列が攪乱され、すべての行がまとめて並べ替えられています。ノイズも、公開データのほかの内容も、データを見て選んだものではありません。"
    ),
    "assumption.rows_are_public": "行数は公開されているものとします。比べるのは、ある人の記録が別の記録に置き換わった場合です。",
    "assumption.sample_is_secret": "{of} 行のうちどの {rows} 行が抽出されたかは秘密のままです。",
    "assumption.rates_alone": "この割合だけに関する保証で、ほかの公開内容は含みません。",
    "assumption.rates_add_up": "行数は公開されているものとします。同じ人々についてさらに割合を公開すると、その ε が加算されます。",
    "assumption.true_rates": (
        "{columns}の値の割合は、k 行未満の値をまとめたうえで、真の値のまま公開されます。行を人に結び付けるものではありませんが、"
        "一般化されたセルが隠している値を絞り込む手がかりになります。"
    ),
    # 前提：行に応じて決まること
    "assumption.chosen_from_rows": "処理の内容は元の行に応じて決まりました。決め方を知る攻撃者は、その結果から何かを読み取れるかもしれません。",
    "assumption.labels_of_earlier": (
        "ラベルは以前の公開データのものであり、今回の行には依存しません。どの行を秘匿するかは行に依存し、規則を知る攻撃者はそこから何かを知るかもしれません。"
    ),
    "assumption.this_release_alone": (
        "この保証は今回の公開データだけについてのものです。以前の公開データにも含まれる人はそれぞれに同値類をもち、その両方に属する人は k 人より少ないかもしれません。"
    ),
    "assumption.rare_rows.suppressed": (
        "似た行が少なかったため、{rows} 行の準識別子が秘匿されています。無作為な欠測ではないので、これらを除いた推定は全員についてのものにはなりません。"
    ),
    "assumption.rare_rows.left_out": (
        "似た行が少なかったため、{rows} 行が除かれています。無作為な欠測ではないので、これらを除いた推定は全員についてのものにはなりません。"
    ),
    "assumption.rare_cells": (
        "セルが秘匿されたのは、似た行が少なかったためです。無作為な欠測ではないので、残りのセルからの推定は全員についてのものにはなりません。"
    ),
    "assumption.sample_size_by_chance": (
        "標本の大きさは確率的に決まりました。パラメータは、超える確率が {delta} 以下の大きさに対して求めました。示した保証は実際の大きさに対するものです。"
    ),
    "assumption.hiding": "各人は少なくとも {rows} 行の中に隠れます。",
    "assumption.hiding.not_drawn": "各人は少なくとも {rows} 行（うち {not_drawn} 行は抽出されなかった行）の中に隠れます。",
    "assumption.hiding.own": "各人（世帯が単位なら各世帯）は少なくとも {rows} 行（うち自身の行は多くても {own} 行）の中に隠れます。",
    "assumption.hiding.not_drawn.own": (
        "各人（世帯が単位なら各世帯）は少なくとも {rows} 行（うち {not_drawn} 行は抽出されなかった行、自身の行は多くても {own} 行）の中に隠れます。"
    ),
    "assumption.hiding_in_group": "各人は少なくともグループ内の {rows} 行の中に隠れます。",
    "assumption.hiding_in_group.own": "各人（世帯が単位なら各世帯）は少なくともグループ内の {rows} 行（うち自身の行は多くても {own} 行）の中に隠れます。",
    "assumption.hiding_in_group.not_drawn": "各人は少なくともグループ内の {rows} 行（うち {not_drawn} 行は抽出されなかった行）の中に隠れます。",
    "assumption.hiding_in_group.not_drawn.own": (
        "各人（世帯が単位なら各世帯）は少なくともグループ内の {rows} 行（うち {not_drawn} 行は抽出されなかった行、自身の行は多くても {own} 行）の中に隠れます。"
    ),
    "assumption.hiding_in_group.classes.not_drawn": (
        "各人は少なくとも、グループ内でそのまま公開される列の値が一致する {rows} 行（うち {not_drawn} 行は抽出されなかった行）の中に隠れます。"
    ),
    "assumption.hiding_in_group.classes.not_drawn.own": (
        "各人（世帯が単位なら各世帯）は少なくとも、グループ内でそのまま公開される列の値が一致する {rows} 行（うち {not_drawn} 行は抽出されなかった行、自身の行は多くても {own} 行）の中に隠れます。"
    ),
    "assumption.hiding_in_group.classes": "各人は少なくとも、グループ内でそのまま公開される列の値が一致する {rows} 行の中に隠れます。",
    "assumption.hiding_in_group.classes.own": (
        "各人（世帯が単位なら各世帯）は少なくとも、グループ内でそのまま公開される列の値が一致する {rows} 行（うち自身の行は多くても {own} 行）の中に隠れます。"
    ),
    "assumption.grouped_by_rows.values": (
        "行のグループ分けはデータを見て行いました。グループの範囲の両端は、そのグループの行が実際にもつ値であり、行数とともに公開されます。"
    ),
    "assumption.grouped_by_rows.rounded": (
        "行のグループ分けはデータを見て行いました。グループの範囲は、両端を外側に丸めたうえで、行数とともに公開されます。"
    ),
    "assumption.grouped_by_rows.partly": (
        "行のグループ分けはデータを見て行いました。グループの範囲は行数とともに公開されます。範囲の両端は{rounded}では外側に丸められ、ほかの列ではそのグループの行が実際にもつ値です。"
    ),
    "assumption.grouped_by_rows.values.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲の両端は、そのグループの行が実際にもつ値であり、行数とともに公開されます。{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "assumption.grouped_by_rows.rounded.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲は、両端を外側に丸めたうえで、行数とともに公開されます。{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "assumption.grouped_by_rows.partly.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲は行数とともに公開されます。範囲の両端は{rounded}では外側に丸められ、ほかの列ではそのグループの行が実際にもつ値です。"
        "{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "assumption.grouped_by_rows.labels": (
        "行のグループ分けはデータを見て行いました。各グループに現れるラベルが、行数とともに公開されます。"
    ),
    "assumption.group_shows_kept": (
        "ある人がどのグループにいるかを知る攻撃者は、そのグループの行の、そのまま公開される列を見ることができます。値がすべて同じ列があれば、その人の値が分かります。"
    ),
    "assumption.left_out_do_not_count": "除かれた {rows} 行は数に入れていません。",
    "assumption.pilot_of_others": (
        "ノイズの配分は、表の人々とは別の人々の予備データによって決めました。予備データの行は表の行と比較し、無関係な人々の場合より多くは一致しないことを確かめました。"
        "両方に含まれる人がいないことは仮定です。"
    ),
    # 前提：識別子
    "assumption.swapped_values_are_true": (
        "公開される{columns}の値はいずれも、似た行からなる同じグループの誰かの真の値です。グループ全員に共通する値は知られ、まれな値からは、それをもつ人がいることがわかります。"
    ),
    "assumption.swapped_unknown": (
        "同じく入れ替えられた{columns}は、攻撃者に何も伝えません。攻撃者は、人の値も、準識別子との関係も知らないものとします。知っている者は、誰の値であるかを見分けられるかもしれません。"
    ),
    "assumption.private_groups": (
        "行は準識別子によってグループに分けられ、どのグループにも {rows} 行以上あります。グループは公開されないため、公開データを読み込むときに数え直すことはできません。"
    ),
    "assumption.population_has_everyone": (
        "{people} 人の母集団には、表に含まれる人が全員、一度ずつ、{columns}の値も同じまま含まれています。"
    ),
    "assumption.every_world_as_likely": (
        "行が母集団のどの人々のものであるかについて、ありうる割り当てはすべて攻撃者にとって同程度に確からしいものとします。"
        "攻撃者は誰が表に含まれるかを知らず、同値類の選び方からも何も読み取れません。"
    ),
    "assumption.population_not_released": (
        "この数値は、公開データに含まれない母集団の中でデータ保有者が数えたものです。公開データを読み込むときには数え直さず、"
        "ありうる数値であることだけを確認します。"
    ),
    "assumption.key_names_rows": "{column:name}は仮名です。鍵を持つ者に対しては何も保証されません。",
    "assumption.same_key_joins": (
        "仮名{column:name}の鍵が同じ公開データどうしは、行ごとに結合できます。それぞれの保証は、単独の場合にだけ成り立ちます。"
    ),
    "assumption.same_person_same_pseudonym": (
        "複数の行をもつ人は、どの行でも仮名{column:name}が同じなので、行をまとめることができます。行についての保証は、1 行だけの人について成り立ちます。"
    ),
    "assumption.shown_characters": (
        "{column:name}は識別子の一部の文字を示します。ある人についてその文字を知る攻撃者は、その人の行を絞り込めます。"
    ),
    # 前提：複数の公開データ
    "assumption.same_people_only": "公開データは同じ人々についてのもので、ほかに公開データはありません。",
    "assumption.each_alone": "公開データはそれぞれ独立に数えます。元の表を知る攻撃者は、一方から他方について何も知ることができません。",
    "assumption.joined_by": "攻撃者は、そのまま公開される{columns}によって行を結合します。",
    "assumption.joined_by.other_people": (
        "攻撃者は{columns}によって行を結合します。公開データに含まれる人が異なるため、見分けられる人がいます。"
    ),
    "assumption.joined_by.groups": "攻撃者は{columns}によって行を結合します。二つの公開データのグループに共通する人は、1 人だけのことがあります。",
    "assumption.joined_by.blocks": "攻撃者は{columns}によって行を結合します。二つの公開データのブロックに共通する人は、1 人だけのことがあります。",
    "assumption.patterns_granted": (
        "どの行が同じ人のものか、また各人がいつ加わり、いつ抜け、いつ値が変わったかを、攻撃者は知っているものとします。"
        "これによって人々は {patterns} 通りの型に分かれ、保証が最も弱いところでは {fewest} 人が同じ型です。"
    ),
    "assumption.patterns_uncounted": (
        "同じ鍵で乱数が繰り返されていますが、値の変わった人、加わった人、抜けた人が何人いるかは数えられていません。"
        "該当者が 1 人だけかもしれないため、何も保証されません。データ保有者は tk.disclosure.repeats で数えられます。"
    ),
    "assumption.same_pattern": (
        "値が変わる時期と変わらない時期が同じ人どうしの比較です。いつ値が変わったか、いつ加わり、いつ抜けたかは保護されません。"
    ),
    "assumption.only_under_key": "この鍵による公開データはこの {releases} 件がすべてで、同じ人々についての公開データはほかにありません。",
    # 事実を公開する理由
    "reason.rates_for_learning": (
        "一般化されたセルが表しうる値に分析者が重みを付けられるように、データ保有者が各値の割合を公開しています。"
    ),
    "reason.marginals_in_matrix": "不変 PRAM の遷移行列はこの割合から作られるので、行列からこの割合が分かります。",
    "reason.strata_weights": "標本から推定するとき、層の重み付けに使います。",
    "reason.hiding_places.classes": "攻撃者が{columns}を知っているとみなし、保証はこれらの行数に基づきます。",
    "reason.hiding_places.strata": "各人は自分の層の中に隠れるので、保証はこれらの行数に基づきます。",
    "reason.rows_counted": "保証は、一人または一世帯の最大の行数に基づきます。これはデータから数えたものです。",
    "reason.levels_from.holder": "階層の段はデータ保有者が決めました（データを見て決めた可能性があります）。",
    "reason.levels_from.rows": "失われる情報が最も少なくなるように、データを見て階層の段を選びました。",
    "reason.labels_from.earlier": "ラベルは以前の公開データのものであり、今回の行を見て選んだものではありません。",
    "reason.labels_from.groups": "ラベルは行のグループから決まるので、行が定義域のどこにあるかを示します。",
    "reason.partition_from.tried": "実際の行で試した分割のうち、失われる情報が最も少なかったものです。",
    "reason.partition_from.engine": "Spark エンジンが行をグループ化する方法です。",
    "reason.partition_from.sizes": "行・列・階層の段の数と k から選びました。",
    "reason.rare_rows_count.suppressed": "これだけの行が、似た行が少なかったために秘匿されています。無作為な欠測ではありません。",
    "reason.rare_rows_count.left_out": "これだけの行が、似た行が少なかったために除かれています。無作為な欠測ではありません。",
    "reason.split_from.rows": "重みは、公開する行を見て選びました。",
    "reason.split_from.shared_pilot": (
        "重みは予備データを見て選びましたが、予備データは無関係な人々の場合よりも多くの行が表と一致するため、公開する行を見て選んだものとみなします。"
    ),
    "reason.split_from.uncompared_pilot": (
        "重みは予備データを見て選びましたが、予備データを表と比較していないため、公開する行を見て選んだものとみなします。"
    ),
    "reason.swapped_within": "値は似た行のグループの中で入れ替えられています。グループは行に応じて決まり、非公開なので、元に戻すことはできません。",
    "reason.group_averages": "どのセルも行のグループの代表値です。グループは非公開なので、元に戻すことはできません。",
    "reason.group_boxes.values": (
        "行のグループ分けはデータを見て行いました。グループの範囲の両端は、そのグループの行が実際にもつ値であり、行数とともに公開されます。"
    ),
    "reason.group_boxes.rounded": (
        "行のグループ分けはデータを見て行いました。グループの範囲は、両端を外側に丸めたうえで、行数とともに公開されます。"
    ),
    "reason.group_boxes.partly": (
        "行のグループ分けはデータを見て行いました。グループの範囲は行数とともに公開されます。範囲の両端は{rounded}では外側に丸められ、ほかの列ではそのグループの行が実際にもつ値です。"
    ),
    "reason.group_boxes.values.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲の両端は、そのグループの行が実際にもつ値であり、行数とともに公開されます。{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "reason.group_boxes.rounded.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲は、両端を外側に丸めたうえで、行数とともに公開されます。{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "reason.group_boxes.partly.labels": (
        "行のグループ分けはデータを見て行いました。グループの範囲は行数とともに公開されます。範囲の両端は{rounded}では外側に丸められ、ほかの列ではそのグループの行が実際にもつ値です。"
        "{labels}では、各グループに現れるラベルが公開されます。"
    ),
    "reason.group_boxes.labels": (
        "行のグループ分けはデータを見て行いました。各グループに現れるラベルが、行数とともに公開されます。"
    ),
    "reason.cells_from_rows": "どのセルを秘匿するかは、似た行の少なさによって決まりました。",
    "reason.smallest_class": "最小の同値類の大きさは、行を数えたものです。",
    "reason.domains_from.rows": "定義域またはその階層が、宣言ではなくデータから読み取られました。",
    "reason.domains_from.recoding": "一般化された列のラベルは、行の一般化のしかたから決まります。",
    "reason.domains_from.both": (
        "定義域またはその階層が、宣言ではなくデータから読み取られました。一般化された列のラベルは、行の一般化のしかたから決まります。"
    ),
    "reason.learned_hierarchy": "一般化された列のラベルは、データから学習した階層によるものです。",
    "reason.calibration_totals": (
        "公開された行の乗率（{weights:name}）を合わせられるように、これらの加重合計を正確な値のまま公開しています。元の表を知る攻撃者にとって、どの行が誰のものかについて新たに分かることはありません。"
        "ε はこれらの合計を保証しないため、示していません。"
    ),
    "reason.chosen_from_rows": (
        "手法は、この表で複数の手法を試して選ばれたため、どの手法であるかは行に依存します。その選択は ε では保証されないため、ε は示していません。"
        "結び付けに関する保証は、どの手法が選ばれても成り立ちます。ただし、攻撃者が知らないとみなす列は、選択が明かす内容にかかわらず知られていない必要があります。"
    ),
    "reason.derived": "ここに示した、データから得た事実によって決まります。",
    # 値の処理
    "treatment.as_it_is": "そのまま公開",
    "treatment.suppressed_everywhere": "すべての行で秘匿",
    "treatment.recoded.none": "そのまま公開",
    "treatment.recoded.none.or_suppressed": "そのまま公開、または秘匿",
    "treatment.recoded.global": "一般化（すべての行で同じ区分）",
    "treatment.recoded.global.or_suppressed": "一般化（すべての行で同じ区分）、または秘匿",
    "treatment.recoded.disjoint": "一般化（重ならない行のグループごと）",
    "treatment.recoded.disjoint.or_suppressed": "一般化（重ならない行のグループごと）、または秘匿",
    "treatment.recoded.overlapping": "一般化（重なりうる行のグループごと）",
    "treatment.recoded.overlapping.or_suppressed": "一般化（重なりうる行のグループごと）、または秘匿",
    "treatment.averaged.mean": "行のグループの平均値",
    "treatment.averaged.median": "行のグループの中央値",
    "treatment.swapped": "似た {least} 行以上のグループの中で、無作為に入れ替え",
    "treatment.averaged.mode": "行のグループの最頻値",
    "treatment.what_is_told": "行が伝える列の名前",
    "treatment.told": "{share:.1%} の行が伝える。その行では確率 {lowest:.3f}〜{highest:.3f} で維持し、それ以外は任意の値に置き換え。他の行では空欄",
    "treatment.told.coarser": "{share:.1%} の行が粗い区分で伝える。その行では確率 {lowest:.3f}〜{highest:.3f} で維持し、それ以外は任意の区分に置き換え。他の行では空欄",
    "treatment.told.always": "{share:.1%} の行が伝える。その行では確率 {lowest:.3f} で維持し、それ以外は任意の値に置き換え。他の行では空欄",
    "treatment.told.coarser.always": "{share:.1%} の行が粗い区分で伝える。その行では確率 {lowest:.3f} で維持し、それ以外は任意の区分に置き換え。他の行では空欄",
    "treatment.group_number": "行が属するグループの番号",
    "treatment.told_in_group": (
        "各グループの一部の行が伝える。その行では維持するか、グループの範囲の中の任意の値に置き換え。ほかの行では空欄（グループの値が 1 つだけの場合を除く）"
    ),
    "treatment.perturbed_in_group": "行が属するグループの範囲の中で攪乱",
    "treatment.constant": "値が 1 つしかなく、そのまま公開",
    "treatment.retained": "確率 {probability:.3f} で維持し、それ以外は全 {values} 個の値から無作為に選んだ値に置き換え",
    "treatment.uniform_on_grid": "{points} 個の格子点から等確率で選んだ値に置き換え",
    "treatment.moved_on_grid": "{points} 点の格子の上で、値域の {scale:.3g} 倍の尺度をもつ有界ラプラスノイズを加える",
    "treatment.presence_flipped": (
        "確率 {probability:.3f} で欠測に（欠測なら格子上の無作為な数値に）置き換え、残る数値は次のとおり：{then}"
    ),
    "treatment.by_matrix": "公開された確率行列により {values} 個の値のいずれかとして公開（PRAM）",
    "treatment.kept_by_matrix": "確率 {lowest:.3f}～{highest:.3f} で維持し、それ以外は公開された確率行列に従って変更（PRAM）",
    "treatment.moved_before.numbers": "{treatment}（値は先に格子へ、多くても {distance:.3g} だけ動かされています）",
    "treatment.moved_before.day": "{treatment}（値は先に格子へ、{step} 日未満だけ動かされています）",
    "treatment.moved_before.hour": "{treatment}（値は先に格子へ、{step} 時間未満だけ動かされています）",
    "treatment.moved_before.minute": "{treatment}（値は先に格子へ、{step} 分未満だけ動かされています）",
    "treatment.moved_before.second": "{treatment}（値は先に格子へ、{step} 秒未満だけ動かされています）",
    # データ保有者への注記
    "note.picked_engine.local": "エンジン：local。約 {rows} 行はメモリ上で約 {takes:.1f} GB になり、使えるのは {allowed:.1f} GB です。",
    "note.picked_engine.stream": (
        "エンジン：stream（ディスク上）。約 {rows} 行はメモリ上で約 {takes:.1f} GB になりますが、使えるのは {allowed:.1f} GB です。"
    ),
    "note.picked_engine.spark": (
        "エンジン：spark（セッションが動作中）。約 {rows} 行はメモリ上で約 {takes:.1f} GB になりますが、使えるのは {allowed:.1f} GB です。"
    ),
    "note.grouped_by": "分割：{partition:kind}。セルあたりの平均損失：{loss:.4f}。秘匿：{rows} 行のうち {suppressed} 行。",
    "note.labelled_as_earlier": (
        "ラベルは以前の公開データのもの。セルあたりの平均損失：{loss:.4f}。秘匿：{rows} 行のうち {suppressed} 行（うち {outside} 行は公開済みのどの範囲にも入りません）。"
    ),
    "note.grouped_points": (
        "分割：{partition:kind}（{groups} 個のグループ）。グループ内平方和：全体の {within:.2f}%（列は標準化）。"
    ),
    "note.swapped_groups": "分割：{partition:kind}（{fewest}〜{most} 行のグループ {groups} 個）。値はグループの中で入れ替えました。",
    "note.least_within": "{k} 行以上のグループでは、どのように分けても {least:.3f}% を下回りません。",
    "note.least_within.constraints_aside": "制約を考えなくても、{k} 行以上のグループでは、どのように分けても {least:.3f}% を下回りません。",
    "note.medians_released": (
        "{columns}は数量として宣言されていないので、実在する値である中央値を公開します。平均に意味がある場合は、"
        "数量として宣言してください（quantity = true）。"
    ),
    "note.suppressed_cells": "秘匿：{cells} セルのうち {suppressed} セル（{each}）。",
    "note.left_out": "除外：{rows} 行のうち {left_out} 行。",
    "note.pilot_shared": (
        "予備データの {rows} 行のうち {shared} 行が表にもあり、無関係な人々の場合より多く一致しています。このため配分は表から選んだものとみなし、ε は示しません。"
    ),
    "note.more_than_asked": (
        "実際に保たれる k は {k} で、指定した {asked:g} より {more:.4g}% 大きい値です。これらの列の整数の重みでは、これより近づけません。"
    ),
    "note.stricter_binds.k": (
        "k = {k:g} のほうが ε = {epsilon:g}（δ = {delta:g}）より多くのノイズを必要とするため、k に合わせてノイズを求めました。両方とも満たされます。"
    ),
    "note.stricter_binds.epsilon": (
        "ε = {epsilon:g}（δ = {delta:g}）のほうが k = {k:g} より多くのノイズを必要とするため、ε に合わせてノイズを求めました。両方とも満たされます。"
    ),
    "note.perturbed_groups.equal": (
        "{groups} 個のグループ（各 {most} 行）。統合されたもの：{merged} 個。セルのノイズは平均して、グループ分けしない場合の {noise:.2f} 倍です。"
    ),
    "note.perturbed_groups.unequal": (
        "{groups} 個のグループ（{fewest}～{most} 行）。統合されたもの：{merged} 個。セルのノイズは平均して、グループ分けしない場合の {noise:.2f} 倍です。"
    ),
    "note.groups_tell": (
        "{groups} 個のグループ（{fewest}～{most} 行）。統合されたもの：{merged} 個。各行は、グループ内で値が異なる列（平均 {varying:.1f} 列）のうち"
        "平均 {columns:.1f} 列を示し、示した内容を確率 {kept:.2f} で維持します。"
    ),
    "note.rows_tell.equal": "各行は {columns} 列のうち {most} 列だけを示します（{clusters} 通りの中から無作為に選びます）。",
    "note.rows_tell.unequal": "各行は {columns} 列のうち {fewest}～{most} 列だけを示します（{clusters} 通りの中から無作為に選びます）。",
    "note.told_by_all": "すべての行が示す列：{columns}。",
    "note.told_in_cells": "粗い区分で示す列と区分の数の上限：{each}。",
    "note.expected_errors.one": "再構築後の 1 列の表の誤差は、約 {one:.3f} と見込まれます（示した区分での全変動距離）。",
    "note.expected_errors.two": (
        "再構築後の誤差は、1 列の表で約 {one:.3f}、2 列の表で約 {two:.3f} と見込まれます（示した区分での全変動距離）。"
    ),
    "note.repeats_anyway": (
        "攻撃者に知られていないとみなす列がそのまま公開されて行が結合されることはないので、独立な乱数を使えば、それぞれの公開データの保証はそのまま残ります。"
        "乱数を繰り返すと、公開の間に誰の値が変わったかが見え、変わったのが 1 人だけならその人が特定されます。"
        "ε を足し合わせたくない場合にだけ意味があります。"
    ),
    "note.repeats_from_here": (
        "ノイズはこの表に合わせて定めました。以後の公開では like= にこの公開データを指定してください。"
        "ノイズが異なると、すべての値が引き直され、変わったものとして数えられます。"
    ),
    "note.never_together": (
        "攪乱する列を 2 列同時に示す行はありません。2 列の表は、そのまま公開する列を通して、または 2 列が独立であるとして推定します。"
    ),
    # 攻撃者の確信度の計算方法
    "beliefs.every_assignment": "行と人のすべての対応を数え上げた厳密値",
    "beliefs.sinkhorn": "すべての人と行にわたる均衡化（Sinkhorn 法）",
    "beliefs.bethe": "すべての人と行にわたる均衡化（Bethe 近似）",
    "beliefs.without_strata": "層の大きさは使わない",
    "beliefs.in_groups": "グループごと",
    # 測定できたこと、できなかったこと
    "measured.noted": "{what}：{why}",
    "measure.release": "公開データ",
    "measure.attack": "攻撃",
    "measure.margins": "加重合計",
    "measure.collation": "照合",
    "measure.utility": "有用性",
    "measure.original": "元のデータ",
    "measure.released": "公開データ",
    "measure.other": "{name}",
    "measure.as_released": "そのまま",
    "measure.reconstructed": "再構築後",
    "measure.telling_rows_apart": "行の見分け",
    "measure.telling_drawn_rows_apart": "補完した行の見分け",
    "measure.learning_from_release": "公開データからの学習",
    "measure.learning_after_reconstruction": "再構築後の学習",
    "problem.swapped_in_groups": (
        "{column:name}は、データ保有者だけが知る行のグループの中で入れ替えられているため、ほかの列との関連はグループの中では失われています。列そのものの分布は正確です。"
        "公開されたセルをそのまま使うか、PkPerturbation または Generalization による公開データを保有者に依頼してください。"
    ),
    "problem.averaged_over_groups": (
        "{column:name}は、データ保有者だけが知る行のグループの代表値に置き換えられているため、元の分布に戻すことはできません。公開されたセルをそのまま使うか、"
        "PkPerturbation または Generalization による公開データを保有者に依頼してください。"
    ),
    "problem.groups_not_told": (
        "公開データからは誰がどのグループにいるか分からないため、測定できません。代わりに手法を指定すると、攻撃のための公開データを作って測定します。"
    ),
    "problem.attack_needs_people": (
        "複数の行をもつ人の公開データです。どの行がだれのものかを示す役割 'person' の列を含むスキーマを、元の表とともに渡してください。"
    ),
    "problem.collation_needs_one_row": (
        "照合の検査は、公開された各行のもとになった 1 行を探すもので、複数の行をもつ人はそのどの行からも見つかりうるため、調べていません。"
        "攻撃者がそのような人に何をできるかは、tokumei risk compare PLAN、または Python の tk.assess_release で数えられます。"
    ),
    "problem.too_large_to_attack": "表が {rows} 行を超えているため、測定していません。計画ファイルを指定して報告書を作成すると、一部の行について測定します。",
    "problem.overlapping_groups": (
        "重なりうるグループごとに一般化されており、どのセルになるかがほかの行にも左右されるため、元の分布に戻すことはできません。ラベルをそのまま使うか、"
        "partition=Optimal() による公開データを保有者に依頼するか、assume='coarsened at random' を指定して仮定の下で推定してください。"
    ),
    "problem.nothing_told": "{column:name}はすべての行で秘匿されており、公開データからは何も分かりません。",
    "problem.suppressed_rows": (
        "似た行が少ない {gone} 行が秘匿されているため、推定は残りの {left} 行についてのもので、全員についてのものではありません。"
    ),
    "problem.left_out_rows": "似た行が少ない {gone} 行が除かれているため、推定は全員についてのものではありません。",
    "problem.among_those_who_tell": "列の割合は、その列を伝える行の中での割合です。",
    "problem.never_told_together": (
        "{of} 組の列の組のうち {pairs} 組は、両方を伝える行がないため独立とみなしています。列どうしの関係を知るには公開データを再構成してください。"
    ),
    "problem.told_by_some": (
        "{column:name}は一部の行だけが、ほかの列と合わせて伝えるため、ここでは扱えません。tk.reconstruct(release) を使ってください。impute() で欠けのない行が得られ、estimator(...) で列を予測できます。"
    ),
    "problem.told_by_none": "{column:name}を伝える行が公開データにありません。行が少なすぎるので、この列を除いてください。",
    "problem.partly_blank": (
        "どの行もこれらの列の一部しか伝えないため、行をそのまま使うことはできません。代わりに公開データを再構成してください（tk.reconstruct）。"
    ),
    "problem.stopped_early": (
        "推定は {steps} 回の反復で打ち切られました。対数尤度は最大値より最大で {gap:.3g} 低い可能性があります。{limit} または {tolerance} を大きくしてください。"
    ),
    "problem.only_labels": (
        "一つのラベルが複数の値を表すことがあるため、上下の限界しか分かりません。ラベルから考えられる最小の値から最大の値までです。"
    ),
    "problem.only_boxes": (
        "行がグループごとに一般化されているため、割合については上下の限界しか分かりません。確実にそのセルにある行の割合から、そのセルにありうる行の割合までです。"
    ),
    "problem.unknown_rows": "似た行が少ない {gone} 行が秘匿されています。それらはどの値でもありうるため、上下の限界しか分かりません。",
    "problem.few_rows_there": (
        "行がごく少なく、1 行の違いが影響するセルがあります。それらの区間が真の値を含む割合は、示した水準以上で、多くの場合それを上回ります。"
    ),
    "problem.not_telling_together": (
        "信頼できる区間はありません。{columns}を同時に伝える行がなく、それらの関係はモデルからしか分かりません。列を減らしてください。"
    ),
    "problem.told_coarsely": (
        "信頼できる区間はありません。行が{columns}を伝えるセルは、表のセルより広いものです。そのセルの境界に合わせた bins を指定してください。"
    ),
    "problem.wider_than_bins": (
        "信頼できる区間のないセルがあります。これほどノイズが大きいと、値が bins の中のどこにあるかが影響しますが、公開データからは分かりません。bins を増やしてください。"
    ),
    "problem.left_open": (
        "信頼できる区間のない数値があります。ノイズのために、ありうる最小の値から最大の値までのどれであるかが分かりません。列またはラベルを減らしてください。"
    ),
    "problem.several_rows_each": (
        "母集団についての信頼できる区間はありません。一人が複数の行をもち、どの行が同じ人のものかが公開データからは分かりません。元の表についての区間を求めてください。"
    ),
    "problem.weights_in_groups": "信頼できる区間はありません。行がグループごとに攪乱されており、調査の重みは使えません。重みを指定しないでください。",
    "problem.told_in_groups": "信頼できる区間はありません。行がグループの中で一部の列だけを伝える公開データの区間は求められません。tk.reconstruct(release) の表を、区間なしで使ってください。",
    "problem.too_many_values": "信頼できる区間はありません。{column:name}は値が多すぎ、ノイズの逆変換ができません。",
    "interval.title": "割合の {level:.0%} 区間",
    "interval.interval": "{low:.4f} ～ {high:.4f}",
    "interval.exact": "正確な値",
    "interval.bounds": "{low:.4f} ～ {high:.4f}、限界",
    "interval.none": "信頼できる区間なし",
    "interval.missing": "（欠測）",
    "interval.largest": "{cells} セルのうち、大きい方から {most} セルです。",
    "interval.about": "区間は、対象者の抽出元である母集団についてのもので、それぞれ単独で成り立ち、公開された行だけから求めたものです。区間の外にある割合は、近い方の端の値で示しています。",
    "problem.unweighted_strata": (
        "ラベルを隠した層化標本なので行に重みを付けられず、推定は元の表ではなく標本についてのものです。"
    ),
    # コマンドラインとノートブック
    "cli.size": "{rows} 行、{columns} 列",
    "cli.seeded": "乱数は指定されたシードから作られています。シードを知る者、言い当てる者に対しては何も保証されません。",
    "cli.level": "段 {level} まで",
    "cli.steps": "前処理：{steps}。",
    "cli.sampled": "{of} 行のうち {rows} 行が抽出されました。",
    "cli.left_out": "似た行が少なかったため、{rows} 行が除かれました。",
    "cli.shuffled": "行は並べ替えられ、直接の識別子は削除されました。",
    "cli.shuffled_other": "行は並べ替えられ、ほかの直接の識別子は削除されました。",
    "cli.use_perturbed": "公開された行をそのまま数えると、意図的に誤った答えになります。ノイズは統計的に取り除いてください。例：",
    "cli.use_recoded": "セルは粗いものの真です。どのラベルも、それが表す値を含みます。これを踏まえた表とモデル：",
    "cli.use_recoded_starred": "セルは、粗いものの真であるか、秘匿されています。秘匿されたセルを除くどのラベルも、それが表す値を含みます。これを踏まえた表とモデル：",
    "cli.use_starred": "セルは真の値であるか、秘匿されています。どのセルが秘匿されるかは偶然ではないため、単に除いて数えないでください。これを踏まえた表とモデル：",
    "cli.use_averaged": "{columns}のセルは似た行のグループの平均です。平均と合計は正しく、人による散らばりは元より小さくなっています。",
    "cli.use_typical": "{columns}のセルは、似た行のグループの中央値または最頻値で、実際にある値です。まれな値は元より少なく、平均や割合は少しずれます。",
    "cli.use_swapped": "{columns}のどのセルも、似た人の真の値です。1 列の表は正確ですが、列の間の関係は元より弱くなっています。",
    "cli.use_sampled": "行は真の値で、標本です（{of} 行のうち {rows} 行）。そのまま数え、合計には倍率を掛けてください。",
    "cli.use_rows": "行は真の値です。そのまま数えてください。",
    "cli.use_left_out": "まれなレコードが除かれているため合計は小さくなり、まれな集団ほどその影響が大きくなります。",
    "cli.use_totals": "{margins}別の加重合計が公開されています。それに一致する重みを列として加えた行を書き出すには：",
    "cli.use_regression": "標準誤差の付いた回帰の例：",
    "cli.use_regression_swapped": "回帰の例（値の入れ替え方は公開されないため、標準誤差は付きません）：",
    "cli.ask_more": "求められることと、列ごとの見込みの精度：{command}",
    "title_ask": "何を求められるか",
    "ask_table": "次の列のうち 1 列以上の表：{columns}。",
    "ask_target": "手元の行（--rows new.csv）について、次の列のいずれかを予測するモデル：{columns}。",
    "ask_rows": "公開された各行に対応する、すべての列がそろった行（ほかのモデルの学習に使えます）。",
    "ask_weights": "公開された各行の重み（sample_weight を受け取るモデルに使えます）。",
    "ask_nothing": "再構築できるものはありません。公開された行をそのまま使ってください。",
    "title_quality": "どの程度の精度になるか",
    "left_expected.one": "再構成後の 1 列の表の誤差は約 {one:.3f} と見込まれます（全変動距離、公開の数値による）。",
    "left_expected.two": "再構成後の誤差は、1 列の表で約 {one:.3f}、2 列の表で約 {two:.3f} と見込まれます（全変動距離、公開の数値による）。",
    "left_measured.one": "公開される 1 列の表のずれは {one:.3f} です（全変動距離、手元の行で測定）。",
    "left_measured.two": "公開される表のずれは、平均で 1 列では {one:.3f}、2 列では {two:.3f} です（全変動距離、手元の行で測定）。",
    "left.gone": "{columns}はほぼすべての行で秘匿され、ほとんど残っていません。階層や再符号化で値を粗くすれば、より多くのことが分かります。",
    "left.next_to_nothing": "これではほとんど何も残りません。改善の方法：{ways}。tokumei recommend を使うと、ほかの手法をこの表で試せます。",
    "left_way.tells": '各行が少数の列だけを伝える（tells = "auto"）',
    "left_way.columns": "列を減らす",
    "left_way.coarser": "定義域を粗くする",
    "left_way.generalize": "攻撃者が準識別子しか知らないのであれば一般化する",
    "left_way.k": "k を小さくする",
    "left_way.rows": "行を増やす",
    "quality_basis": (
        "公開されている数値だけから見込んだ値で、まだ何も当てはめていません。誤差は全変動距離で、0 は誤差なし、1 は共通部分がないことを意味します。値の多い数値の列は "
        "{bins} 区間、一部の行だけが示す列は示された区分で数えます。"
    ),
    "quality_one": "1 列の表の誤差は、全変動距離で約 {one:.2f} と見込まれます。",
    "quality_two": "誤差は全変動距離で、1 列の表は約 {one:.2f}、2 列の表は約 {two:.2f} と見込まれます。",
    "quality_sampled": "その一部は、行の一部だけを抽出して公開したことによるものです。",
    "quality_exact": "そのまま公開されているため、これらだけの表に誤差はありません：{columns}。",
    "quality_left_out": "そのまま公開されている列：{columns}。まれなレコードが除かれているため、表はその分だけ元の表と異なり、どれだけ異なるかは公開された数からは分かりません。",
    "quality_nothing_left": "{columns}の情報はほとんど残っていません。",
    "quality_never": "{of} 組のうち {pairs} 組では、両方の列を示す行がありません。その関連は、ほかの列を通してのみ推定されます。",
    "quality_drowned": (
        "{of} 組のうち {pairs} 組では、2 列の関連がノイズに隠れています。その表は、各列だけから分かることと、ほかの列に頼ります。"
    ),
    "quality_labels": (
        "複数の値を表すラベルとして公開された列：{columns}。ラベルの中での人の分布は示されないため、その影響は公開されている数値からは分かりません。"
    ),
    "quality_cells": (
        "一部の行で秘匿され、ほかの行ではそのまま公開された列：{columns}。どの行で秘匿されたかは偶然ではなく、その影響は公開されている数値からは分かりません。"
    ),
    "quality_groups": (
        "行のグループの中で攪乱された列：{columns}。その影響は公開されている数値からは分かりませんが、グループの幅が狭いほど小さくなります。"
    ),
    "quality_swapped": "似た行のグループの中で入れ替えられた列：{columns}。各列の分布は正確ですが、列どうしの関連は元の表より弱くなります。",
    "quality_averaged": "行のグループで平均された列：{columns}。平均値はそのまま使えますが、元に戻すことはできません。",
    "quality_suppressed": "すべての行で秘匿され、何も分からない列：{columns}。",
    "quality_alone": "その列だけ",
    "quality_paired": "ほかの 1 列との表",
    "quality_covers": "セルが表しうる値の割合",
    "cli.drafted": "{plan} を作成しました（{rows} 行、{columns} 列）。",
    "cli.check_draft": "エディタで {plan} を開き、役割と定義域を確認してから、次を実行してください：{command}",
    "cli.key": (
        "{file} を作成しました。どの公開データからも離して保管してください。鍵を持つ者は、仮名の背後にいる人を特定でき、"
        "その鍵で繰り返される乱数のノイズを取り除くことができます。控えを安全な場所に保管してください。鍵がなければ、同じ仮名も同じ乱数も再び作ることはできません。"
    ),
    "cli.patterns": "いつの公開データに含まれ、いつ値が変わったかによる保証（弱い順）：",
    "cli.pattern_unchanged": "k = {k}：{people} 人（公開 {releases}）、変化なし",
    "cli.pattern_changed": "k = {k}：{people} 人（公開 {releases}）、引き直された列：{columns}",
    "cli.more_patterns": "ほかに {patterns} 通り（k はこれ以上）",
    "cli.note": "注：{note}",
    "cli.dropped": "削除した列：{columns}。",
    "cli.moved": "格子へ動かした値：{column:name}の {values} 個。",
    "cli.totals_kept": "計画の指定により、{margins}別の加重合計（重み：{weights:name}）が正確に公開され、受領者はそれを保つことができます。",
    "cli.totals_reported": "{margins}別の加重合計（重み：{weights:name}）は公開されません。変化は報告書に示されます。",
    "cli.wrote": "{place} に書き出しました（{rows} 行）。",
    "cli.wrote_files": "{files} に書き出しました。",
    "cli.codes_of_labels": (
        "{columns}の値はラベルになり、{ending} ファイルでは値ラベルの付いたコード 1、2、… として書き出されます。コードの平均は値の平均ではありません。"
    ),
    "cli.inspect": "内容の確認：{command}",
    "cli.promises": "それぞれの意味と前提：{command}",
    "cli.report": "有用性の損失とリスクのある人を 1 ページで見る：{command}",
    "report_card_public": "公開用の報告書：公開データとともに公表できます。",
    "report_card_private": "非公開の報告書：データ保有者だけのものです。",
    "cli.report_public": "公開データとともに公開できます。",
    "cli.report_private": "データ保有者だけのものです。公開しないでください。",
    "cli.open": "ブラウザで {file} を開いてください。",
    "cli.interrupted": "中断しました。書きかけのものは残っていません。",
    "card.guarantee": "保証",
    "card.nothing": "何も保証しません。",
    "card.method": "手法：{method}。",
    # 補完した行
    "complete_title": "補完した行：その内容と用途",
    "complete_what": "この行について",
    "complete_guarantees": "保証されること",
    "complete_good_for": "適した用途",
    "complete_not_for": "適さない用途",
    "complete_assumed": "仮定したこと",
    "complete_pooling": "複数の組の統合",
    "complete.imputed_rows": (
        "{rows} 行、{copies} 組。各行は、公開された 1 行ごとに、その行のもとになりえた真の行の中から抽出したものです。"
    ),
    "complete.drawn_rows": (
        "{rows} 行、{copies} 組。公開された {released} 行に当てはめた、元の表のモデルから抽出したものです。"
    ),
    "complete.nobodys_rows": "どの行も、ある人の行とみなさないでください。公開データが伝えない部分は乱数で抽出しています。",
    "complete.rows_as_released": "ノイズのある列も、複数の値を表すセルもないため、抽出するものはありませんでした。どの行も公開された行です。",
    "complete.kept_cells": "公開データのセルをそのまま持つのは{columns}だけです。",
    "complete.post_processing": (
        "行は公開データだけから計算しています。ここから個人について分かることは公開データから分かることを超えず、"
        "公開データは次のことを保証します。それ以上のことは保証しません。"
    ),
    "complete.good_for_tables": "少数の列の集計表、割合、平均。",
    "complete.good_for_models.one": "ある列を予測するモデル。この行で学習し、真の行に用います。",
    "complete.good_for_models.several": (
        "ある列を予測するモデル。すべての組を合わせて（各行を同じ重みで）学習し、真の行に用います。"
    ),
    "complete.good_for_code": "欠けのない行を前提とするプログラムの試用。",
    "complete.not_for_people": "個々の行。どの行も、公開データが伝えない個人の情報を伝えることはありません。",
    "complete.not_for_detail": (
        "モデルにないもの：まれな組合せ、多くの列の同時の関係、列の間の規則（終了は開始より後、など）。"
    ),
    "complete.not_determined": (
        "列の間の関係。ノイズのために定まらず、異なる初期値から当てはめたモデルが一致しません。一つの列の表には影響しません。"
    ),
    "complete.not_for_one_copy": (
        "標準誤差と区間推定。1 組から計算したものは狭すぎます。20 組など、複数の組を作ってください。"
    ),
    "complete.coefficients_shrink": (
        "回帰係数。攪乱された列の係数は 0 の方向に偏り、区間が真の値を含む割合は表示より低くなります。"
        "説明したい列を目的変数として指定すると改善します。"
    ),
    "complete.others_shrink": (
        "{target:name}以外の列を説明するモデルの係数。0 の方向に偏り、区間が真の値を含む割合は表示より低くなります。"
        "{target:name}のモデルの係数の偏りはより小さいものの、十分とは限りません。"
    ),
    "complete.mixture_assumed": (
        "元の表を、{classes} 個のクラスの混合としてモデル化しました。クラスの中では列は独立です。"
    ),
    "complete.fitted_again": (
        "組ごとに、公開された行に無作為な重みを付けてモデルを当てはめ直しました。組の間の違いには、モデルの不確かさも含まれます。"
    ),
    "complete.given_target": (
        "ほかの列は、{target:name}の値ごとにモデル化しました。これはその列のモデルのためのものです。"
        "ほかの列の表には、target を指定せずに作った行のほうが適しています。"
    ),
    "complete.spread_evenly": (
        "{columns}の値のうち公開データが区別しないものは、均等に抽出しました。これらによる平均などは、ずれることがあります。"
    ),
    "complete.never_together": (
        "{count} 組の列の対は、公開されたどの行も両方を伝えないため、その関係はモデルの推測です。例：{pairs}。"
    ),
    "complete.coarsened_at_random": (
        "一般化または秘匿されたセルは、真の値がそれの表す値のどれかであること以外は何も伝えないとみなしました。"
    ),
    "complete.tight_boxes": (
        "グループの範囲は、その行を含む最小のものとみなしました。グループは行を見て選ばれており、そこから分かることは"
        "用いていません。そのため、一般化された行のセルは、モデルだけによる場合よりも範囲の中から一様に近く選びました。"
    ),
    "complete.suppressed_evenly": (
        "秘匿されたセルは、その列のすべての値から一様に選びました。まれな値が秘匿されるため、他の行からはほとんど分かりません。"
    ),
    "complete.labels_evenly": (
        "複数の値を表すセルは、その値から一様に選びました。ラベルの中で人がどう分布するかは、モデルを作れるほどには分からないためです。"
    ),
    "complete.averaged_cells": "{columns}の平均値は、そのまま用いました。真の値の散らばりはこれより大きくなります。",
    "complete.swapped_cells": (
        "{columns}の値はグループの中で交換されており、そのまま用いました。ほかの列との関係は元の表より弱くなっています。"
    ),
    "complete.rows_left_out": "{rows} 行が公開データから除かれており、ここにはそれに当たる行はありません。",
    "complete.sampled_rows": "公開データは標本です（{of} 行のうち {rows} 行）。",
    "complete.weigh_rows": "公開された行の重みは行により異なり、ここでも同じです。{column:name}で重みを付けてください。",
    "complete.weighted_by": "行は{column:name}の重みに従って抽出したため、どの行も同じ重みです。",
    "complete.no_interval_measured": (
        "正直な区間はありません。このような公開データでは、補完した行の組の間の違いは不確かさのすべてを表しません。"
        "tk.reconstruct(release).table(columns).intervals() と .mean(column) が、区間か限界、またはそれがない理由を示します。"
    ),
    "complete.coefficients_uncertain": (
        "正直な区間はありません。各行は一部の列だけを伝えるため、補完した行によるモデルの係数は 0 の方向に偏ります。"
        "tk.regress(release, formula) が、成り立つ標準誤差、またはそれがない理由を示します。"
    ),
    "complete.means_in_cells": (
        "正直な区間はありません。各行は一部の列だけを伝え、数値は多くの場合いくつかの値をまとめた階級で伝えられます。値が階級の中のどこにあるかは、組の間の違いに表れません。"
        "tk.reconstruct(release).mean(column) が区間か限界を示します。"
    ),
    "complete.target_weakens_tables": (
        "正直な区間はありません。行は{target:name}のモデルのために補完されており、ほかの列どうしの関係はずれています。割合には target を"
        "指定しないか、tk.reconstruct(release).table(columns).intervals() を用いてください。"
    ),
    "complete.numbers_say_nothing": (
        "正直な区間はありません。数値だけでは何の推定値か分からず、このような公開データでは、組から求めた区間は一部の推定値でしか成り立たず、係数では成り立ちません。"
        "割合なら of='shares'、平均なら of='means' を渡してください。係数には tk.regress(release, formula) を用いてください。"
    ),
    "complete.hidden_was_chosen": (
        "表についての正直な区間はありません。範囲が隠す値は無作為ではなく選ばれたもので、組の間の違いには表れません。"
        "分散を渡して母集団について求めるか、tk.reconstruct(release).table(columns).intervals(about='table') の限界を用いてください。"
    ),
    "complete.sample_says_nothing": (
        "表についての正直な区間はありません。公開データは標本で、だれが含まれていないかは組の間の違いに表れません。"
        "分散を渡して、母集団について求めてください。"
    ),
    # 回帰
    "regression_coefficient": "係数",
    "regression_error": "標準誤差",
    "regression_interval": "90% 区間",
    "regression.from_rows": "公開された行にそのまま当てはめました。標準誤差は、行のばらつきについてモデルが正しいことを前提としません。",
    "regression.from_common_rows": (
        "{of} 行のうち、まれなために除かれなかった {rows} 行に当てはめました。どの行が残るかは準識別子によって決まるため、モデルはほかの行でも成り立つとみなします。"
    ),
    "regression.from_averages": "公開された行に当てはめました。セルは似た行のグループの平均です。",
    "regression.from_whole_rows": (
        "回帰のすべての列の値が見える {of} 行中 {rows} 行に当てはめました。どの行の値が見えるかは準識別子によって決まるため、モデルはほかの行でも成り立つとみなします。"
    ),
    "regression.from_spread_cells": (
        "隠れたセルの値を、取りうる値から均等に {copies} 回抽出し、行の各コピーには、回帰がそれをよく説明するほど大きい重みを付けました。"
    ),
    "regression.from_corrected_equations": "公開されている仕組みにより、回帰の方程式からノイズを取り除きました。",
    "regression.from_pairs": "2 列の積の平均は、両方を伝える行から、ノイズを取り除いて求めました。",
    "regression.from_telling_all": "すべての列をともに伝える {rows} 行から、ノイズを取り除いて求めました。",
    "regression.from_copies": "表全体のモデルで行を {copies} 回補完し、結果をルービンの規則で統合しました。",
    "regression.from_weighted_copies": (
        "表全体のモデルで行を {copies} 回補完し、行の各コピーには、回帰がそれをよく説明するほど大きい重みを付けました。"
    ),
    "regression.not_told": (
        "正直な区間はありません。{columns}をともに伝える行がありません。ともに伝える行をデータ保有者に求めるか、説明に用いる列を減らしてください。"
    ),
    "regression.told_in_cells": (
        "正直な区間はありません。{columns}はいくつかの値をまとめた区分で伝えられており、区分の中での値の位置によって係数が変わります。"
    ),
    "regression.swapped": (
        "正直な区間はありません。{columns}の値はグループの中で交換されており、ほかの列との関係がどれだけ弱まったかは分かりません。"
    ),
    "regression.hidden": (
        "正直な区間はありません。すべての列の値が見えるのは {of} 行中 {rows} 行だけで、回帰には足りません。説明に用いる列を減らすか、"
        "より小さい k の公開データを求めてください。"
    ),
    "regression.target_hidden": (
        "正直な区間はありません。{target:name}そのものが一部の行で一般化または秘匿されており、値が見える行は全体の無作為な一部ではありません。"
    ),
    "regression.chosen_by_target": (
        "正直な区間はありません。{target:name}は準識別子であるか制約に含まれるため、どの値が隠れるかがそれに左右されます。"
    ),
    "regression.form_does_not_fit": (
        "正直な区間はありません。どの行にすべての値が見えるかは準識別子によって決まり、それらの行では列の二乗や積、または回帰に含まれない準識別子を加えたほうが目的変数をよく説明します。"
        "係数は選ばれた行についてのもので、全員についてのものではありません。"
    ),
    "regression.form_of_whole_rows": (
        "正直な区間はありません。すべての列の値が見えるのは {of} 行中 {rows} 行で、それらの行では列の二乗や積、または回帰に含まれない準識別子を加えたほうが目的変数をよく説明するため、"
        "ほかの行の係数は異なります。代わりにすべての行を補完しました。測定した表では、一般化された行ではこのほうが全員についての係数に近く、秘匿されたセルでもおおむね同様でした。"
    ),
    "regression.whole_rows_say_too_little": (
        "正直な区間はありません。すべての列の値が見えるのは {of} 行中 {rows} 行で、それらの行からは係数が決まりません。代わりにすべての行を補完しました。"
        "説明に用いる列を減らすか、より小さい k の公開データを求めてください。"
    ),
    "regression.separated": (
        "正直な区間はありません。目的変数の一つのクラスの行しかない（完全分離）か、0 より大きい件数のないラベルがあるため、尤度に最大値がありません。"
        "係数は Firth の罰則付き尤度によるものです。列を減らすか、ラベルをまとめてください。"
    ),
    "regression.many_left_out": "{rows} 行がまれなために除かれています。より小さい k の公開データ、またはすべての行を残す手法による公開データなら、より多くのことが分かります。",
    "regression.averaged_widely": (
        "正直な区間はありません。{columns} 列が {k} 行ずつのグループで平均されています。区間が成り立つことが測定で分かっているのは、5 列まで、10 行までのグループです。"
        "それを超えると、平均は元の行から離れすぎます。"
    ),
    "regression.hidden_in_groups": (
        "正直な区間はありません。グループ内のノイズが多くを隠すため、補完した行はモデルに頼り、係数が偏ります。より小さい k の公開データを求めてください。"
    ),
    "regression.counts_perturbed": (
        "正直な区間はありません。{target:name}そのものにノイズがあり、その場合のポアソン回帰の区間は正しくないことが測定で分かっています。線形回帰には区間があります。"
    ),
    "regression.not_measured": "正直な区間はありません。このような公開データによるこの回帰の区間が成り立つかどうかは、十分な数の公開データでは測定されていません。",
    "regression.rare_left_out": "正直な区間はありません。{rows} 行がまれなために除かれており、それは目的の列に左右されます。",
    "regression.few_left": (
        "正直な区間はありません。まれなために除かれなかったのは {of} 行中 {rows} 行だけで、ほかの行がそれらと同様かどうかを見るには足りません。"
        "より小さい k の公開データ、またはすべての行を残す手法による公開データを求めてください。"
    ),
    "regression.missing_in_noise": "正直な区間はありません。{target:name}には欠測のセルがあり、どの行のものかはノイズのため分からないので、行を補完しました。",
    "regression.several_each": "正直な区間はありません。1 人に複数の行があり、どの行が同じ人のものかは公開されていません。",
    "regression.strata_hidden": "正直な区間はありません。公開データは層化標本で、各行がどの層のものかを示していません。",
    "regression.fits_disagree": "正直な区間はありません。ノイズのため、列の間の関係が決まりません。",
    "complete.pool_imputed": (
        "{copies} 組のそれぞれから推定値を計算し、Rubin の規則で統合してください（Python では tk.pool(results)）。"
    ),
    "complete.drawn_rows_say_nothing": (
        "正直な区間はありません。行は抽出されたもので、少数の組の間の違いからは、抽出によるばらつきと未知の部分を区別できません。"
        "組にわたる平均が推定値です。区間には、行数を指定せず、公開された 1 行ごとに 1 行を補完してください。"
    ),
    # Reports
    "title": "匿名化データに関する報告書",
    "variant_private": "データ保有者限り：この報告書には、元のデータに関する情報が含まれます。",
    "variant_public": "公開用：公開された行とマニフェストだけから作成しました。",
    "contents": "目次",
    "absent": "–",
    "list_comma": "、",
    "list_semicolon": "、",
    "colon": "：",
    "in_brackets": "{text}（{aside}）",
    "in_manifest": "（長いため manifest.json を参照）",
    # 要約
    "title_verdict": "要約",
    "verdict_what": "{method}により作成した、{rows} 行 {columns} 列のデータです。",
    "verdict_void": "乱数が指定されたシードから作られているため、シードを知る者や言い当てる者に対しては何も保証されません。",
    "verdict_before": "元のデータでは、準識別子の組合せが一意なレコードが {rows} 件（{share}）あります。",
    "verdict_classes": "公開データで一意なレコードは {rows} 件、最小の同値類は {k} 行です。",
    "verdict_attack": (
        "試行では、元の表を知る攻撃者が正しく結び付けた人は {people} 人中 {linked} 人（95% 信頼区間：{low}～{high}）で、最も確かな結び付けの確率は {belief}でした。"
    ),
    "verdict_belief": "元の表を知る攻撃者にとって、最も確かな結び付けの確率は {belief}です。",
    "verdict_released": "公開データをそのまま使うと、列の分布のずれは平均 {column}です。",
    "verdict_reconstructed": "ノイズを統計的に取り除く（再構築する）と、ずれは {column}になります。",
    "verdict_not_measured": "有用性は測定できませんでした。",
    "verdict_advice": "公開する前に確認すべき点が {count} 件あります（「助言」の節）。",
    "verdict_no_advice": "特に助言すべき点はありません。",
    "verdict_receiver_perturbed": (
        "セルは確率的に攪乱されています。公開された行をそのまま数えると、設計上、誤った結果になります。ノイズを統計的に取り除けば正しい結果が得られます。"
    ),
    "verdict_receiver_swapped": "値は似た行のグループの中で入れ替えられています。各列の分布は正確ですが、列どうしの関連は元の表より弱くなります。",
    "verdict_receiver_sampled": "公開されているのは標本で、抽出された行はそのまま公開されています。",
    "verdict_receiver_alike": (
        "セルは一般化、代表値への置き換え、または秘匿がされています。ラベルや代表値は、まとまった複数の値を表します。"
    ),
    # 保証
    "title_promise": "保証の内容",
    "title_assumes": "保証の前提",
    "promise_of": "（保証 {places}）",
    "promise_proofs": "証明は次のコマンドで読めます：{proofs}",
    # リスク
    "title_ladder": "あらゆる種類の攻撃者に対して",
    "caption_ladder": "各種の攻撃者が到達し得る上限。小さいほど安全です。差分攻撃は、50% の確信がどこまで高まり得るかで示しています。",
    "title_risk": "攻撃者にできること",
    "risk_measure": "指標",
    "risk_before": "元のデータ",
    "risk_after": "公開データ",
    "risk_k": "最小の同値類の行数（k）",
    "risk_k_people": "同値類の行数と、そのうち 1 人（1 世帯）の行数との比の最小値（k）",
    "risk_several": (
        "公開データはどの行が誰のものかを示していません。そのため、公開データについてはありうる最大値を示します。n 行の同値類のうち 1 人（1 世帯）のものは、最大の行数を超えず、"
        "k 分の 1 も超えません。その人（世帯）のどの行に結び付けても、正しいとみなします。"
    ),
    "risk_unique": "一意なレコード",
    "risk_highest": "結び付けの確率の最大値",
    "risk_average": "結び付けの確率の平均値",
    "risk_above": "確率 {threshold} を超えて結び付けられる行",
    "risk_who_alike": "攻撃者は、ある人の{columns}と、その人が表に含まれることを知っており、値が一致する行を探します。",
    "risk_who_sampled": (
        "元のデータに対する攻撃者は、ある人の{columns}を知っているものとします。公開データに対する攻撃者は、誰が抽出されたかを除き、"
        "元の表全体を知っているものとします（はるかに強い攻撃者です）。"
    ),
    "risk_who_swapped": (
        "元の表では、攻撃者は一人の{columns}を知っているものとします。公開データでは、全員の入れ替えられた列の値とグループを知り、ほかの列については何も知らないものとします。"
        "入れ替えられた行の同値類はリスクを示さないため、数えません。"
    ),
    "risk_who_perturbed": (
        "元のデータに対する攻撃者は、ある人の{columns}を知っているものとします。公開データに対する攻撃者は、乱数の値を除き、"
        "元の表全体とノイズの加え方を知っているものとします（はるかに強い攻撃者です）。攪乱された行の同値類からリスクは分からないので、数えていません。"
    ),
    "risk_wildcards": (
        "秘匿されたセルは、それ自体を一つの値として数えています（リスクを過小に見積もることはありません）。どの値とも一致するとみなせば、"
        "どの行もそれ自身を含む {k} 行以上と一致します。"
    ),
    "caption_before_after": "正しく結び付けられる確率（元のデータと公開データ）。",
    "caption_sizes_before": "元のデータ：それ自身を含め、何行と一致するか。",
    "caption_sizes_after": "公開データ：それ自身を含め、何行と一致するか。",
    "caption_blame": (
        "元のデータで、どの列が個人を選び出すことにつながるか（全行のスコアに占める割合。合計は 100% です）。"
    ),
    "blame_sets": "元のデータで一意なレコードを最も多く生む、最小の列の組：{sets}。",
    "blame_set": "{columns}（{rows} 行）",
    "attack_some": "表が大きいため、{all} 行から抽出した {rows} 行について同じ方法で公開データを作り、それを攻撃しました。",
    "attack_linked": (
        "攻撃者は {people} 人中 {linked} 人を正しく結び付けました（95% 信頼区間：{low}～{high}）。この測定のために作成した公開データで数えたもので、"
        "乱数はどの報告書でも同じです。"
    ),
    "attack_no_truth": "行の順序は保存されないため、どの結び付けが正しいかは誰にも分かりません。",
    "attack_belief": "最も確かな結び付けの確率は {belief}で、攻撃者自身の見込みでは {expected} 人を正しく結び付けられます。",
    "attack_promised": "保証が許す上限は {promised}です。",
    "attack_unknown": "保証の前提のとおり、攻撃者は{columns}を利用しません。",
    "attack_how": "確率の計算方法：{how}。",
    "public_counted": "公開された行について、受領者なら誰でもできるように、{columns}が一致する行を数えました。",
    "public_swapped": (
        "公開された値は行のグループの中で入れ替えられているため、公開された行の同値類はリスクを示しません。行がどのように見えても、上の保証がリスクの上限を与えます。"
    ),
    "public_perturbed": (
        "セルが確率的に攪乱されているため、公開された行の同値類を数えてもリスクは分かりません。リスクの上限は、行の見かけにかかわらず、"
        "上の保証によって定まります。"
    ),
    "public_no_columns": "準識別子が公開されていないため、数えるべき同値類はありません。",
    "public_people": (
        "1 人が複数の行をもち、どの行が誰のものかは公開されていないため、同値類を数えるとリスクを小さく見積もることになります。"
        "上の保証は、人を単位に数えています。"
    ),
    # 問い
    "title_questions": "三つの問いと、日本法の二つの観点",
    "questions_law": (
        "最初の三つは、欧州のデータ保護当局が匿名化について問うものです（第 29 条作業部会意見書 05/2014）。ここに示すのは計算による答えです。"
        "法令に適合するかどうかは、利用の状況や人にも左右されるものであり、この報告書が適合を主張するものではありません。"
    ),
    "question_rung": "{name}：{value}（{how}）。{said}",
    "question_singling_out": "選び出し（singling out）：特定の個人を選び出せるか",
    "singling_swapped": (
        "公開された行が一意であっても、その値はグループの複数の人のものです。攻撃者がどの行をある人のものと考えても、上の前提のもとで、正しい確率は 1/{k} 以下です。"
        "ただし、まれな値からは、それをもつ人が表にいることがわかります。"
    ),
    "singling_perturbed": (
        "公開された行が一意であっても、それが誰かの本当の記録とは限りません。攻撃者がどの行をある人のものとみなしても、上の前提のもとで、"
        "それが正しい確率は 1/{k} 以下です。"
    ),
    "singling_alike": (
        "{columns}については、公開されたどの行もそれ自身を含む {k} 行以上と一致し、一意なレコードは {rows} 件です。"
    ),
    "singling_people": (
        "{columns}については、一致する行のうち同じ人または世帯の行は {k} 分の 1 以下です。攻撃者がそのどれを選んでも、上の前提のもとで、"
        "それが正しい確率は 1/{k} 以下です。"
    ),
    "singling_together": "公開されたすべての列を合わせると、一意なレコードは {rows} 件（{share}）です。",
    "singling_sampled": (
        "公開された行の中では選び出せます。{columns}の組合せが一意なレコードが {rows} 件あります。ただし、誰が抽出されたかを知らない攻撃者には、"
        "その行が全員の中でも一意であるかどうかは分かりません。"
    ),
    "singling_no_columns": "準識別子は公開されていません。",
    "question_linkability": "連結可能性（linkability）：行を本人と、あるいは同じ人の行どうしを結び付けられるか",
    "linking_promise": "上の前提のもとで、行が正しく結び付けられる確率は 1/{k} 以下です。",
    "linking_nothing": "これについての保証はありません。",
    "linking_seeded": "乱数が指定されたシードから作られているため、シードを知る者は行を結び付けられるおそれがあり、その者に対する保証はありません。",
    "linking_again": (
        "これは、この公開データ単独についてのものです。同じ人々のデータを再び公開すると、知られることが積み重なります。"
        "何が保証として残るかは tokumei combine で計算できます。"
    ),
    "question_inference": "推論（inference）：ある人の値を推測できるか",
    "inference_class": (
        "{column}：どの同値類にも {l} 種類以上の値があり、公開データ全体の分布との距離（全変動距離）は最大 {t} です。"
        "値が 1 種類だけの同値類にある行は {rows} 行で、これらの値は結び付けなくても分かります。"
    ),
    "inference_sampled": (
        "行が誰のものか分かった攻撃者は、その行のすべての値を読み取れます。値がそのまま公開されているためです。"
    ),
    "inference_guess": "{column}：攻撃者が正しく言い当てられるのは {right}の人についてで、公開データがなくても {without}の人について言い当てられます。",
    "inference_stated": "上の保証の一つが、同値類ごとにこれを制限しています。",
    "inference_not_promised": (
        "保証は結び付けに関するものです。多くの人に共通する傾向から推測できることを制限するものではありません。"
    ),
    "question_provider": "提供元基準：元の表をもつデータ保有者（提供元）自身が、どの行が誰のものかを識別できるか",
    "provider_swapped": (
        "そのまま公開される{columns}によって、元の表をもつ者は、それらが一意である行を見分けられます。行のほかの値は似た人のものです。"
    ),
    "provider_swapped_all": "どの値も誰かのものですが、公開されたどの行も誰か一人のものではなく、値はグループの複数の人のものです。",
    "provider_perturbed": (
        "1/{k} を超える確率では識別できません。この保証は、データ保有者のように元の表全体を知る者に対しても、乱数と行の順序が破棄されている限り成り立ちます。"
        "tokumei はどちらも保存しません。"
    ),
    "provider_unknown": (
        "識別できる可能性があります。1/{k} という保証は、そのまま公開される{columns}が攻撃者の手がかりにならないことを前提としていますが、"
        'データ保有者には手がかりになります。kept = "known" または "perturb" とすれば、データ保有者に対しても保証されます。'
    ),
    "provider_seeded": "識別できます。乱数が指定されたシードから作られており、再現できるためです。",
    "provider_sampled": "元のデータで一意なレコードについては識別できます。行がそのまま公開されているためです。",
    "provider_alike": (
        "部分的に識別できます。元の表をもつ者は、同じ同値類を作り直して、公開されたすべての列を比べられます。その場合、一意なレコードは {rows} 件（{share}）、"
        "最小の同値類は {k} 行です。"
    ),
    "question_collation": "容易照合性：ほかの情報と容易に照合できるおそれはどこにあるか",
    "collation_gone": "直接の識別子は削除され、行は並べ替えられています。どの行が誰のものかを示す対応表はありません。",
    "collation_kept": "そのまま公開されるため、ほかの表と照合されうる列：{columns}。",
    "collation_none_kept": "そのまま公開される列はありません。",
    "collation_do": "元の表と公開データは分けて管理し、両方を見られる人を限ってください。",
    "collation_check": (
        "元の表をもつ者は、{groups} 個の行グループのうち {resolved} 個について、"
        "元の記録の組をただ一通りに定められます（判定できなかったグループ：{undecided} 個）。それによって一人の行と特定される行：{pinned} 行。"
    ),
    # 助言
    "title_advice": "助言",
    "advice_rung_whole_table": (
        "元の表全体を知っている攻撃者は、最大 {value} の確率で行を結び付けられるおそれがあります。tokumei promises RELEASE --plan PLAN --advise を実行すると、変更せずに公開する列の攪乱などの変更をこの表で試し、それぞれの損失を測定します。"
    ),
    "advice_rung_inference": (
        "機微な値は、結び付けなくても最大 {value} の確信をもって推測されるおそれがあります。tokumei promises RELEASE --plan PLAN --advise を実行すると、l-多様性や t-近似性などの変更をこの表で試し、それぞれの損失を測定します。"
    ),
    "advice_none": "該当する問題はありません。",
    "advice_seeded": "乱数が指定されたシードから作られています。公開する前に、シードを指定せずに作り直してください。",
    "advice_nothing_promised": 'k = 1 では、結び付けに対して何も保証されません。より大きな k を求めるか、遷移行列のノイズを強めるか、（セルの秘匿では）meaning = "own_value" としてください。',
    "advice_nearly_unique": (
        "{column}は、異なる値の数が行数に近い列です（{share}）。氏名のように人を特定できるので、削除するか、識別子として扱うか、区分を粗くしてください。"
    ),
    "advice_filled_classes": (
        "{column}：{rows} 行（{share}）が、機微な値が 1 種類だけの同値類にあり、結び付けなくても値が分かります。l-多様性や t-近接性を求めてください。"
    ),
    "advice_told_apart": (
        "そのまま公開される列も含め、公開されたすべての列を知る攻撃者にとっては、{rows} 行（{share}）が一意になります。知られうる列があれば、"
        "区分を粗くするか削除してください。"
    ),
    "advice_small_groups": "{column}：k = {k} 行未満にしか現れない値が {values} 個あります（合計 {rows} 行）。ほかの値とまとめてください。",
    "advice_outliers": (
        "{column}：{rows} 行が、ほかの値から大きく離れています（四分位数から四分位範囲の 3 倍を超える）。上限・下限の値にまとめてください。"
    ),
    "advice_bounds_from_data": "{column}：定義域または階層がデータから読み取られており、その両端は誰かの値です。あらかじめ宣言してください。",
    "advice_many_gone": (
        "{rows} 行（{share}）が、似た行が少なかったために除かれるか秘匿されています。残りの行からの推定は全員についてのものになりません。先に区分を粗くして、"
        "失われる行を減らしてください。"
    ),
    # 有用性
    "title_utility": "有用性",
    "utility_how": (
        "距離は全変動距離です。0% なら分布が同じ、100% なら共通部分がまったくないことを意味します。「そのまま」では、ラベルが表すすべての値に均等に割り振って数え、一部の行だけが伝える列は、それを伝える行の中で数えます。"
        "「再構築後」は、受領者が公開データと公開された仕組みから推定できる表です。撹乱した公開データは、再構築後で評価してください。"
    ),
    "utility_none": "測定できたものはありません。",
    "utility_measure": "指標",
    "utility_column": "列",
    "side_released": "そのまま",
    "side_reconstructed": "再構築後",
    "utility_marginals": "一つの列の分布のずれ（平均）",
    "utility_pairs": "二つの列の同時分布のずれ（平均）",
    "utility_associations": "関連の強さのずれ（平均）",
    "utility_told_apart": "元の行との見分けやすさ（最悪の pMSE に対する割合）",
    "utility_score": "元の行に対するモデルのスコア",
    "utility_loss": "準識別子のセルの情報損失（Loss）",
    "utility_ncp": "セルの正規化確実性ペナルティ（NCP）",
    "title_margins": "変えてはならない加重合計",
    "margins_how": (
        "指定された周辺分布の加重合計を、元のデータと公開データとで比べたものです。「移動」は、別の区分に移った重みの割合です。"
    ),
    "margins_how_raked": "公開された行と公開された合計だけから求められる調整済みの乗率では、元のデータの合計に正確に一致します。",
    "margins_columns": "周辺分布",
    "margin_total": "重みの合計",
    "margin_moved": "移動（公開のまま）",
    "margin_largest": "区分の最大の変化",
    "margin_undone": "移動（再構築後）",
    "margin_raked": "調整済みの乗率",
    "margin_exact": "一致",
    "title_columns": "列ごとのずれ",
    "title_not_measured": "測定できなかったもの、留保の付くもの",
    "caption_correlations": "二つの列の関連（そのまま）：相関係数（順序のない列を含む場合はクラメールの V）。",
    "caption_correlations_reconstructed": "同じく、再構築後の関連。",
    "caption_marginals": "{column}：値の割合（左：元のデータ、右：公開データ）。",
    "title_use": "受領者にできること",
    "receive_swapped": (
        "行はそのまま使えます。各列の分布は、全体でも、似た行のグループごとにも正確です。列どうしの関連はグループの間では保たれ、グループの中では失われるため、元の表より弱くなります。"
    ),
    "receive_perturbed": (
        "公開された行をそのまま数えないでください。設計上、誤った値になっています。機構は公開されているので、同時分布、回帰、"
        "予測モデルを元のデータから求めたかのように推定でき、その精度も区間で示されます。"
    ),
    "receive_sampled": "通常の標本と同じように集計できます。割合は標本誤差の範囲で正しく、人数は倍率を掛けて求めます。",
    "receive_alike": (
        "ラベルは複数の値を表します。tokumei reconstruct で値に割り振ることができます。そのまま公開される列は、そのまま使えます。"
    ),
    "receive_averaged": "セルは行のグループの代表値であり、元に戻すことはできません。平均はほぼ保たれますが、分散や関連は保たれません。",
    "receive_not_at_random": "まれな行は除かれるか秘匿されているため、推定は全員についてのものになりません。",
    "receive_inspect": "tokumei inspect RELEASE を実行すると、各列の作り方が（英語で）表示されます。",
    # 方法
    "title_method": "加工の方法",
    "title_steps": "前処理",
    "method_parameter": "パラメータ",
    "method_value": "値",
    "method_drawn": "{of} 行から {rows} 行を抽出しました。",
    "method_left_out": "似た行が少なかったため、{rows} 行を除きました。無作為な欠測ではありません。",
    "title_told": "各行が伝える内容",
    "told_rows": "列",
    "told_share": "行の割合",
    "told_values": "とりうる値の数",
    "told_kept": "維持する確率",
    "told_nothing": "グループの値のほかには何も示さない",
    "told_any": "{among} 列のうち任意の {count} 列（{ways} 通り）",
    "told_blank": (
        "どの列を伝えるかは行の内容と無関係に無作為に決まり、{label:name}がその列を示します。伝える内容はまとめて維持されるか置き換えられます。ほかのセルは空欄です。"
        "空欄は何も伝えず、欠測値ではありません。"
    ),
    "method_always": "直接の識別子は削除し、行は並べ替えました。",
    "method_pk_perturbation": "Pk-攪乱",
    "method_grouped_pk_perturbation": "グループごとの Pk-攪乱",
    "method_pram": "PRAM（事後ランダム化）",
    "method_sampling": "標本抽出",
    "method_generalization": "一般化",
    "method_record_suppression": "行の削除",
    "method_local_suppression": "セルの秘匿",
    "method_microaggregation": "ミクロアグリゲーション",
    "method_swapping": "スワッピング",
    "about_pk_perturbation": (
        "どの行も 1/k を超える確率では結び付けられないように、または指定された ε を満たすように、必要なだけのノイズで、各セルを確率的に維持または置換します。"
    ),
    "about_telling": (
        "各行は無作為に選ばれた一部の列だけを、どの行も 1/k を超える確率では結び付けられないように、または指定された ε を満たすように、必要なだけのノイズを加えて伝えます。ほかのセルは空欄です。"
    ),
    "about_telling_in_groups": (
        "各行は無作為に選ばれた一部の列だけを伝えます。ほかのセルは、グループの値が 1 つだけの場合を除き、空欄です。"
    ),
    "about_grouped_pk_perturbation": "似た行をグループにまとめ、グループの範囲の中で各セルを確率的に攪乱します。",
    "about_pram": "各セルを、公開された確率行列に従って確率的に変更します。",
    "about_sampling": "一部の行を抽出し、そのまま公開します。",
    "about_generalization": "どの行もそれ自身を含む k 行以上と一致するまで、セルの区分を粗くします。",
    "about_record_suppression": "一致する行が k 行に満たない行を除きます。",
    "about_local_suppression": "どの行もそれ自身を含む k 行以上と一致するまで、個々のセルを秘匿します。",
    "about_swapping": "似た行を k 行以上のグループにまとめ、グループの中で列ごとに値を無作為に入れ替えます。",
    "about_microaggregation": "似た行を k 行以上のグループにまとめ、各行をグループの代表値に置き換えます。",
    "step_recode": "{column}を階層に従って粗くする",
    "step_top_bottom_code": "{column}を上限・下限の値にまとめる",
    "step_pseudonymize": "{column}を鍵付きの仮名に置き換える",
    "step_mask": "{column}を一部の文字を除いて伏せる",
    "step_drop": "{column}を削除する",
    # 列
    "title_dictionary": "データ項目の一覧",
    "dictionary_column": "列",
    "dictionary_role": "役割",
    "dictionary_values": "とりうる値",
    "dictionary_happened": "値の加工",
    "dictionary_labels": "（{count} 個のラベルとして公開）",
    "dictionary_clusters": "行が伝える列（{count} 通りのいずれか）",
    "dictionary_told": "（{count} 個の区分で伝える）",
    "role_identifier": "識別子",
    "role_person": "個人の区別",
    "role_quasi_identifier": "準識別子",
    "role_sensitive": "機微な属性",
    "role_insensitive": "その他の属性",
    "domain_none": "宣言なし",
    "domain_labels": "ラベル {count} 種類",
    "domain_or_star": "、または秘匿",
    "domain_starred": "すべての行で秘匿",
    "mechanism_card": "各列の値に起こること（だれが知ってもよいものです）",
    "domain_missing": "、または欠測",
    "domain_observed": "{count} 個の値（データから読み取ったもの）",
    "domain_more": "、ほか {count} 個",
    "domain_range": "{low}～{high}",
    "domain_step": "（{step} 刻み）",
    # データから決めたもの
    "title_looked": "データを見て決めたもの",
    "looked_why": "いずれも元の行について何かを明かすもので、理由とともにマニフェストで公開されます。",
    "looked_nothing": "ありません。パラメータと定義域は、宣言された内容と行数だけから決まっています。",
    # 版
    "title_origin": "証拠：日付、版、ダイジェスト",
    "origin_table": "表",
    "origin_made": "報告書の作成",
    "origin_input": "元データ、{name}",
    "origin_rows": "元データ、読み込んだ行（Arrow ストリーム）",
    "origin_plan": "計画",
    "origin_release": "公開データ、{name}",
    "origin_plan_text": "計画の内容",
    "origin_kept": "この報告書は元データと計画とともに保管してください。ダイジェスト（SHA-256）により、この報告書の対象であることを後から確認できます。元データのダイジェストがあると、他の行をすべて知る者が推測を試せるため、公開用の報告書には含めません。",
    "origin_what": "対象",
    "origin_value": "版または SHA-256",
    "origin_digest": "この報告書は、これらのダイジェストをもつファイルからなる公開データに関するものです。",
    "origin_no_digest": "公開データはファイルから読み込んだものではない（この報告書のために作成したか、メモリ上で渡された）ため、ダイジェストはありません。同じ計画から後で書き出すものは、乱数が異なります。",
    # 図
    "chart_highest": "最大",
    "chart_average": "平均",
    "chart_before": "元のデータ",
    "chart_after": "公開データ",
    "chart_original": "元のデータ",
    "chart_released": "公開データ",
    "chart_reconstructed": "再構築後",
    "chart_difference": "差",
    "chart_below k": "k 未満",
    "chart_k or more": "k 以上",
    "chart_or_more": " 以上",
    "chart_rows in an equivalence class": "同値類の行数",
    "chart_share of rows": "行の割合",
    "chart_probability of a correct link": "正しく結び付けられる確率",
    "chart_share of the risk": "リスクに占める割合",
    # Studio
    # The frame
    "skip": "本文へ",
    "screens": "画面",
    "language": "言語",
    "shade": "明暗",
    "shade_auto": "自動",
    "shade_light": "明るい",
    "shade_dark": "暗い",
    "cancel": "中止",
    "close": "閉じる",
    "again": "やり直す",
    "working": "計算中…",
    "unexpected": (
        "予期しない問題が起きました。何も変わっていません。別の操作を試すか、スタジオを起動し直してください。"
    ),
    "work_change": "変更を適用しています…",
    "work_save": "作業を保存しています…",
    "work_open": "表を開いています…",
    "work_columns": "列を読み込んでいます…",
    "work_sizes": "同値類を数えています…",
    "work_risk": "個人を特定しうる列の組合せを調べています…",
    "work_levels": "段階の効果を調べています…",
    "work_frontier": "手法を計測しています…",
    "work_point": "この k で手法を計測しています…",
    "work_choose": "この手法を計測しています…",
    "work_lattice": "段階のすべての組合せを調べています…",
    "work_compare": "公開データと元のデータを比べています…",
    "work_marginal": "図を描いています…",
    "work_score": "モデルを学習しています…",
    "work_attack": "攻撃を実行しています…",
    "work_records": "レコードを並べ替えています…",
    "work_advice": "変更を試しています …",
    "work_ladder": "保証を数えています …",
    "work_export": "ファイルを作成し、確認しています…",
    "work_figures": "リスクと有用性を計算しています…",
    "stopped": "中止しました。",
    "undo": "元に戻す",
    "redo": "やり直す",
    "history": "履歴",
    "history_opened": "「{name}」を開きました",
    "history_and": "、",
    "history_list": "、",
    "history_method": "{method}、k = {k}",
    "history_no_method": "手法なし",
    "history_columns": "列の変更",
    "history_column": "「{column}」：{what}",
    "history_domain": "定義域の変更",
    "history_hierarchy": "階層の変更",
    "history_no_hierarchy": "階層なし",
    "history_described": "記述の変更",
    "history_prepared": "前処理：{steps}",
    "history_unprepared": "前処理なし",
    "history_seed": "シードあり",
    "history_no_seed": "シードなし",
    "history_pinned": "固定：{methods}",
    "history_unpinned": "固定を解除",
    "history_duties": "義務：{duties}",
    "history_no_duties": "義務なし",
    "history_no_population": "母集団の指定なし",
    "history_population_size": "母集団 {people} 人",
    "history_population_share": "標本の割合 {share}",
    "history_population_weights": "調査ウェイト{column:name}",
    "history_population_table": "母集団{name:name}",
    "history_source": "欠測の記号：{markers}",
    "role_short_person": "人（誰の行か、除去）",
    "role_short_identifier": "識別子（削除）",
    "role_short_quasi_identifier": "準識別子（保護）",
    "role_short_sensitive": "機微な属性",
    "role_short_insensitive": "その他の属性",
    "copy": "コピー",
    "copy_python": "Python プログラム",
    "copy_toml": "計画（TOML）",
    "copy_cli": "コマンド",
    "copy_save": "{name} を保存",
    "copy_now": "コピーする",
    "copied": "コピーしました。",
    "header_figures": "リスクと有用性",
    "head_table": "表・行数",
    "head_before": "結び付け確率の最大値（元のデータ）",
    "head_after": "結び付け確率の最大値（公開データ）",
    "head_rungs": "結び付け・表全体・推論・ε・所属",
    "studio_duties": "この公開データが満たすべき段階にチェックを入れ、許容する上限を入力してください。すべて満たされている場合にのみ、画面上部の表示が緑色になります。",
    "studio_duty_allowed": "{name}：上限",
    "studio_rungs_told": "各段階の内容と前提",
    "head_utility": "有用性（そのまま）",
    "head_no_method": "手法が未選択",
    "head_counted": "{share}（計数）",
    "head_proved": "{share}（証明値）",
    "head_nothing": "保証なし",
    "welcome": "人々の表を安全に公開する",
    "welcome_about": (
        "攻撃者が表から何を知りうるかを示し、選んだ手法で表を保護し、このコンピューターの外に出る前にすべての保証を確認します。"
    ),
    "welcome_steps": "作業の流れ",
    "open_example": "例を開く",
    "screen_data": "データと役割",
    "screen_risk": "リスク",
    "screen_hierarchies": "階層",
    "screen_frontier": "フロンティア",
    "screen_lattice": "ラティス",
    "screen_compare": "前後の比較",
    "screen_records": "レコード",
    "screen_verdict": "判定",
    "screen_export": "書き出し",
    "lead_data": "各列が何かを指定します。個人を名指すもの、他人が知りうるもの、知られてはならないもの。",
    "lead_risk": "この表をそのまま公開した場合と、手法を適用した後の公開データについて、攻撃者に何ができるかを示します。",
    "lead_hierarchies": (
        "値をどう粗くするかを定めます。階層が内容に合っているほど、公開データで失われる情報は少なくなります。"
    ),
    "lead_frontier": (
        "すべての k について、各手法の代償を示します。スライダーは計測済みの値を示し、止めた k では各手法を計測します。"
    ),
    "lead_lattice": "列全体を一般化するすべての方法です。斜線は k に届かないもの。それ以外は適用できます。",
    "lead_compare": "公開データの有用性を、元のデータと比べて示します。",
    "lead_records": "最も再識別されやすい行と、攻撃者に見える内容です。この画面の内容はこのコンピューターの外に出ません。",
    "lead_verdict": "この公開データがそれぞれの攻撃者に対して何を保証するか、義務を満たすか、何を変えられるか。",
    "lead_export": "公開されるものについて保証を確認し直してから、公開データ、計画、プログラム、報告書を取り出します。",
    # Data and roles
    "projects": "前の作業を続ける",
    "projects_about": "作業の手順は、このコンピューターの本人専用フォルダに保存されます。保存されるのは計画と履歴で、行は含みません。",
    "projects_more": "残り {count} 件を表示",
    "project_told": "{when}、{steps} ステップ",
    "project_open": "開く",
    "project_remove": "削除",
    "project_really": "本当に削除しますか？",
    "project_again": "「{name}」がもうありません。続けるには、もう一度ここに置いてください。",
    "plan_taken": "計画を現在の状態として取り込みました。元に戻すこともできます。",
    "data_what": "{name}：{rows} 行、{columns} 列",
    "data_other": "別の表",
    "data_open": "表を開く",
    "data_drop": (
        "CSV、Parquet、Excel、SPSS、Stata、SAS のファイル、または計画（TOML）をここに置いてください。このコンピューターの中に留まり、終了時に消去されます。"
    ),
    "data_choose": "ファイルを選ぶ",
    "data_failed": "ファイルを転送できませんでした。",
    "data_no_file": "手元にファイルがない場合：",
    "data_database": "データベースの表",
    "data_url": "データベース",
    "data_list": "表を一覧する",
    "data_tables": "読み取れる表は {count} 個あります。一つ選んでください。",
    "data_no_tables": "このデータベースに、読み取りを許された表はありません。",
    "data_search": "表を探す",
    "data_tables_more": "ほか {count} 個。名前の一部を入力してください。",
    "data_tables_none": "この文字を含む名前の表はありません。",
    "data_open_table": "開く",
    "data_password": "パスワードは書かないでください。コマンドラインと同じく、環境変数から読み取ります。",
    "data_more": "残り {count} 列を表示",
    "data_distinct": "{count} 種類",
    "data_missing": "欠測 {count}",
    "data_others": "ほか {count:,} 個の値",
    "data_bars": "「{name}」の値の分布",
    "data_binned": "{count} 個の区間で集計しています。",
    "holds_numbers": "数値",
    "holds_text": "文字列",
    "holds_dates": "日付",
    "holds_booleans": "真偽",
    "holds_other": "その他",
    "data_role": "役割",
    "data_suggested": "提案：{role}。{why}",
    "data_domain": "値：{domain}（{how}）",
    "domain_categories": "{count} 種類",
    "domain_dates": "{low} から {high} までの日付",
    "domain_numbers": "{low} から {high} まで {step} 刻みの数値",
    "data_quantity": "量を表す数値（平均に意味があり、公開してよい）",
    "data_observed": "データから読み取ったため公開されます",
    "data_declared": "宣言済み",
    "data_levels": "階層：{count} 段階",
    "data_no_hierarchy": "階層なし",
    "data_edit": "編集",
    "data_noticed": "「{marker}」が {rows} 行にあります。無回答ではありませんか？",
    "data_as_missing": "欠測として扱う",
    "data_as_missing_label": "「{marker}」を欠測として扱う：{column}",
    "data_stray": "ほかがすべて数値であるなかに、文字列のセルが {cells} 個あります。ファイルを開くときにそれらを欠測の記号として書けば、数値の列として読み込まれます。",
    "flag_email": "メールアドレス",
    "flag_phone": "電話番号",
    "flag_name": "氏名",
    "flag_address": "住所・アドレス",
    "flag_text": "自由記述",
    "flag_kept": "この列は個人を直接示すようですが、削除されません。問題がないと確認できていないかぎり、識別子にしてください。",
    "reason_email": "セルがメールアドレスのように見えます。",
    "reason_phone": "セルが電話番号のように見えます。",
    "reason_text": "自由記述であり、誰の名前が書かれているか分かりません。",
    "reason_names": "氏名のように、ほとんどの行で値が異なります。",
    "reason_numbers": "人や世帯の番号のように、ほぼすべての行で整数が異なります。金額などの量であれば、別の役割にしてください。",
    "reason_household": "世帯の番号です。同じ世帯の行をまとめて扱うなら、役割を「人」にしてください。",
    "reason_within": "世帯の中の人の番号です。",
    "reason_place": "地図上の点は誰かの自宅です。場所を残すなら、地域に置き換えてください。",
    "reason_postcode": "郵便番号のようで、他人が知りうる値です。マスクの階層で、桁ごとに粗くできます。",
    "reason_design": "標本の層や集落は、住んでいる場所を示します。標準誤差に必要なため、より粗いものを検討してください。",
    "reason_birth": "生年月日は、場所と組み合わせるとほとんどの人を特定します。年だけなら、示すことは少なくなります。",
    "reason_weight": "調査のウェイトのようで、分析に必要です。わずかな行にしかない値はその行を示すため、少数の値に丸めるか、削除してください。",
    "reason_sums": "合計が調査のウェイトのようになっています。わずかな行にしかない値はその行を示すため、少数の値に丸めるか、削除してください。",
    "reason_unusable": "セルから定義域を読み取れませんでした。",
    "reason_repeats": "値が繰り返されています。誰の行かを示すものであれば、役割を「人」にしてください。",
    "reason_or_weight": "体重ではなく調査のウェイトであれば、「その他の属性」にしてください。",
    "reason_commas": "小数点がコンマの数値のように見えます。小数点の記号を選んで、ファイルを開き直してください。",
    "reason_dates": "日付のように見えます。日付の書き方を選んで、ファイルを開き直してください。",
    "reason_identifier": "個人を直接示す名前や番号のようです。",
    "reason_person": "誰の行かを示すもののようです。",
    "reason_quasi_identifier": "他人に知られないと言える理由がありません。",
    "reason_sensitive": "列の名前が、本人について知られてはならない事柄を示しています。",
    "reason_insensitive": "誰のものかを示さないようです。",
    "chosen_title": "「{name}」を開く",
    "chosen_lead": "開く前に、最初の数行を確認してください。このコンピューターでのみ表示され、どこにも保存されません。",
    "chosen_settings": "ファイルの書き方",
    "chosen_guessed": "ファイルの冒頭から推定しました。誤りがあれば直してください。空のセルは常に欠測です。欠測の記号を変えなければ、開くときに NA や ? などをファイル全体から探します。これらの設定は計画に残ります。",
    "chosen_encoding": "文字コード",
    "chosen_delimiter": "区切り文字",
    "chosen_decimal": "小数点",
    "chosen_dates": "日付",
    "chosen_missing": "欠測の記号（コンマ区切り）",
    "chosen_mark_comma": "コンマ ,",
    "chosen_mark_semicolon": "セミコロン ;",
    "chosen_mark_tab": "タブ",
    "chosen_mark_bar": "縦線 |",
    "chosen_point": "ピリオド 1.5",
    "chosen_comma": "コンマ 1,5",
    "chosen_iso": "2001-12-31 のみ",
    "chosen_rows": "最初の行",
    "chosen_shown": "{columns} 列のうち最初の {rows} 行。型と欠測の数は、ファイルの冒頭のものです。",
    "chosen_more": "残りの {count} 列はここには表示していません。",
    "chosen_absent": "欠測",
    "chosen_open": "開く",
    "role_name_person": "人：誰の行か（除去）",
    "role_name_identifier": "識別子（削除する）",
    "role_name_quasi_identifier": "準識別子（保護する）",
    "role_name_sensitive": "機微な属性",
    "role_name_insensitive": "その他の属性",
    "role_why_person": "人や世帯が複数の行を持つとき、誰の行かを示します。公開されず、保証は人に対するものになります。",
    "role_why_identifier": "氏名、番号、住所など。公開されることはありません。",
    "role_why_quasi_identifier": "年齢、地域、職業など、他人が知りうる値。手法が保護します。",
    "role_why_sensitive": "病気や所得など、本人について知られてはならない値。",
    "role_why_insensitive": "誰のものかを示さず、知られてもよい値。そのまま公開されます。",
    # Hierarchies
    "tree_no_columns": "準識別子の列がないため、粗くする必要はありません。",
    "tree_column": "列",
    "tree_edit": "段階",
    "tree_text": "段階（テキスト）",
    "tree_how_values": "1 行に 1 つの値、続けて粗いラベルを細かい順にセミコロンで区切って書きます（ARX の形式）。",
    "tree_how_edges": "1 行に 1 段階、細かい順に、区間の境界をセミコロンで区切って書きます。ARX の形式（1 行に 1 つの値）でも書けます。",
    "tree_long": "値が多すぎてここでは編集できません。ファイルを使ってください。",
    "tree_dates": "月・四半期・年",
    "tree_order": "隣り合う値をまとめる",
    "tree_masks": "符号の末尾を隠す",
    "tree_star": "維持または秘匿（*）",
    "tree_drop": "ARX 形式の階層ファイルをここに置くこともできます。",
    "tree_effect": "効果",
    "tree_effect_about": "一意なレコードは、ほかの列をそのままにして、すべての準識別子で数えています。",
    "tree_apply": "適用",
    "tree_none": "階層なし",
    "tree_unsaved": "まだ適用されていません。",
    "tree_applied": "適用しました。",
    "tree_level": "段階",
    "tree_labels": "ラベル数",
    "tree_some": "段階 {level}：{labels}",
    "tree_loss": "セルあたりの損失",
    "tree_fewest": "ラベルあたりの最少行数",
    "tree_alone": "一意なレコード",
    # Risk today
    "risk_alone": "の行が一意です（{all} 行中 {rows} 行）",
    "risk_smallest": "最小の同値類の大きさ（k）",
    "risk_mean": "正しく結び付けられる確率の平均",
    "risk_sizes": "1 人は何行の中に隠れているか",
    "risk_sizes_about": "同じ同値類の行は{columns}が一致します。線を動かすか、スライダーを使ってください。",
    "risk_slider": "k",
    "risk_below": "{rows} 行（{share}）は k = {k} 行未満の中にしか隠れていません。",
    "risk_why": "なぜ一意になるのか",
    "risk_sets": "最も多くの行を一意にする最小の列の組",
    "risk_columns": "列",
    "risk_nobody": "これらの列で選び出される人はいません。",
    "and_more": "{columns}ほか {count} 列",
    "risk_up_to": "準識別子が {columns} 列あるため、{largest} 列までの組合せを調べました。それより大きい組合せには時間がかかりすぎます。",
    "risk_attackers": "誰が試みるか",
    "attacker_prosecutor": "特定の一人を探す人。",
    "attacker_prosecutor_knows": "隣人や同僚など。一人についてこれらの列を知り、その人が表にいることも知っています。",
    "attacker_journalist": "できることを示したい人。",
    "attacker_journalist_knows": "全員についてこれらの列を知っていますが、誰が表にいるかは知りません。誰でもよいのです。",
    "attacker_marketer": "できるだけ多くの人を結び付けようとする人。",
    "attacker_marketer_knows": "結び付けられる行はすべて結び付け、いくつか間違っていてもかまいません。",
    "risk_was": "元のデータ",
    "risk_is": "公開データ",
    "risk_then": "公開後：{figure}",
    "risk_then_proved": "公開データでは、どの攻撃者も {share} を超える確率では行を結び付けられません（証明済み）。攪乱した行の同値類はリスクを示しません。",
    "risk_then_nothing": "この公開データは結び付けについて何も保証せず、行の同値類もリスクを示しません。",
    "risk_legend_before": "元のデータ",
    "risk_legend_below": "k 行未満",
    "risk_legend_after": "公開データ",
    "risk_some": "列の組ごとの一意な行",
    "risk_some_about": "攻撃者が知りうる列を選ぶと、その組で一意になる行を数えます。",
    "risk_some_count": "数える",
    "risk_some_none": "列を一つ以上選んでください。",
    "risk_told_apart": "攪乱した行は偶然一意に見えるため、公開後は数えません。",
    "population": "母集団",
    "population_about": "誰が表にいるかを知らない人は、母集団全体の中から探さなければなりません。その大きさを示すと、下の攻撃者の違いが現れます。",
    "population_told": "母集団についてわかっていること",
    "population_none": "なし",
    "population_size": "人数",
    "population_share": "表に含まれる割合",
    "population_weights": "各行の調査ウェイト",
    "population_table": "全員の表",
    "population_people": "人数",
    "population_percent": "割合（%）",
    "population_column": "ウェイトの列",
    "population_drop": "母集団の表をここにドロップしてください。列は同じで一人 1 行、表にいる人を全員含むものです。",
    "population_given": "母集団の表：{name}",
    "population_random": "行が無作為に抽出されたものとして推定します（Benedetti と Franconi）。調査ウェイトがあれば、各行はその人数を代表します。",
    "population_several": "一人が複数の行をもつ場合は母集団を使わず、表の中で数えます。",
    "population_unique": "母集団 {population} 人のうち {people} 人（{share}）が母集団で一意です（{how}）。",
    "population_number": "数を入力してください。",
    "attacker_who": "攻撃者",
    "attacker_most_before": "最大（元のデータ）",
    "attacker_mean_before": "平均（元のデータ）",
    "attacker_most_after": "最大（公開データ）",
    "attacker_mean_after": "平均（公開データ）",
    "grounds_counted": "計数",
    "grounds_estimated": "推定",
    "grounds_at_most": "上限",
    "grounds_proved": "証明済み",
    "grounds_nothing": "保証なし",
    "attacker_named_prosecutor": "検察官",
    "attacker_named_journalist": "ジャーナリスト",
    "attacker_named_marketer": "マーケター",
    # Frontier
    "line_full_domain": "列全体の一般化",
    "line_groups": "グループごとの一般化",
    "line_microaggregation": "ミクロアグリゲーション",
    "line_pk_perturbation": "Pk-攪乱",
    "line_pk_all_told": "すべての列を伝える Pk-攪乱",
    "line_grouped_pk_perturbation": "グループごとの Pk-攪乱",
    "line_pk_and_sampling": "90% 標本の Pk-攪乱",
    "frontier_k": "k",
    "frontier_limit": "1 行が結び付けられる確率は最大 {share} です。",
    "frontier_chart": "k ごとの各手法の有用性",
    "frontier_across": "k：右ほど安全",
    "frontier_upward": "有用性（{side}）：高いほど良い",
    "frontier_sides": "表示する有用性",
    "frontier_released": "そのまま",
    "frontier_reconstructed": "再構築後",
    "frontier_axis": "横軸",
    "frontier_axis_k": "指定した k",
    "frontier_across_rung": "右ほど安全",
    "frontier_recommended": "k = {k} では、{method}（k = {own}）を勧めます。準識別子による照合を {risk} 以下に抑える手法のうち、有用性が {utility} で最も高いためです。",
    "frontier_recommended_duties": "k = {k} では、{method}（k = {own}）を勧めます。すべての義務（{duties}）を満たす手法のうち、有用性が {utility} で最も高いためです。",
    "frontier_recommended_stronger": "表全体を知る攻撃者に対しては、{method}（k = {own}）が {value} を保ち、有用性は {utility} です。",
    "frontier_recommended_sampled": "無作為に選んだ {rows} 行だけで計測した手法：{methods}。",
    "frontier_large": (
        "大きな表です。時間のかかる手法は無作為に選んだ {rows} 行で計測し、その旨を表示します（全行では損失が通常より小さくなります）。そのリスクは、"
        "どの行でも手法が守る上限です。ほかの段については、適用するまで保証なしとして扱います。再構築後の有用性は、全行に短い当てはめを一度行った値で、通常は低めです。"
        "それ以外はすべて全行で計測します。各手法は、いくつかの k と、スライダーを止めた k で計測します。"
    ),
    "frontier_recommended_none": "k = {k} 以上ですべての義務を満たす手法はここにありません。有効と考えられる変更は「判定」で試せます。",
    "frontier_recommended_waiting": "この k ではまだ何も測定されていません。",
    "frontier_better": "ここでは k = {k} のほうが有用性が同等以上で、より安全です（そちらを採用します）",
    "frontier_table": "この k での各手法",
    "frontier_method": "手法",
    "frontier_risk": "結び付け確率の最大値",
    "frontier_utility": "有用性",
    "frontier_loss": "セルあたりの損失",
    "frontier_actions": "操作",
    "frontier_current": "選択中",
    "frontier_waiting": "未計測",
    "frontier_near": "k = {k} での計測値",
    "frontier_sampled": "有用性は無作為に選んだ {rows} 行で計測。リスクは全行での上限",
    "frontier_asked": "上限",
    "frontier_counted": "計数",
    "frontier_proved": "証明値",
    "frontier_nothing": "保証なし",
    "frontier_apply": "適用",
    "frontier_pin": "留める",
    "frontier_unpin": "外す",
    "frontier_pins": "留めた手法",
    "frontier_no_pins": "三つまで留めて、ここで比べられます。",
    "frontier_none": "この表とこの k では、この手法は使えません。",
    "frontier_attackers": (
        "有用性は、二つの列の同時分布がどれだけずれるか（全変動距離の平均）を 1 から引いたもので、公開された行をそのまま使う場合と、受領者が表を再構築した後の場合があります。"
        "再構築後の値がない線は、そのままの値で描きます。どの線も、その k 以上で最良の値を示します。一般化した行や代表値に置き換えた行のリスクは、"
        "上の列を知る攻撃者に対する計数値です。攪乱した行のリスクは、表全体を知りうる攻撃者に対する証明値です。"
    ),
    # Lattice
    "lattice_down": "縦",
    "lattice_across": "横",
    "lattice_best": "この k で最良の組合せへ",
    "lattice_size": "段階の組合せは {count} 通り。行の {share} まで秘匿できます。",
    "lattice_tiles": "二つの列ずつ",
    "lattice_two": "異なる二つの列を選んでください。",
    "lattice_legend": "数字はセルあたりの損失です。斜線は k に届かないもの。タイルを選ぶと詳しく見られます。",
    "lattice_tile": "損失 {loss}、{state}",
    "lattice_safe": "k = {k} を保ちます",
    "lattice_suppressing": "小さい同値類の行（全体の {share} 以内）を秘匿すれば k = {k} を保ちます",
    "lattice_unsafe": "k = {k} を保ちません",
    "lattice_chosen": "この組合せ",
    "lattice_loss": "セルあたりの損失",
    "lattice_smallest": "最小の同値類（秘匿前）",
    "lattice_classes": "同値類の数",
    "lattice_apply": "適用",
    "lattice_ranked": "この k で損失の少ない順",
    "lattice_none": "k = {k} を保つ組合せはありません。",
    # Before and after
    "compare_score": "公開データで学習したモデル",
    "compare_attack": "攻撃してみる",
    "compare_attack_about": (
        "元の表全体を知る攻撃者が、すべての行の結び付けを試みます。そのために公開データを一つ作り、終わると破棄します。時間がかかります。"
    ),
    "compare_attack_play": "攻撃を実行",
    "compare_column": "一つの列",
    "compare_cross": "二つの列の同時分布",
    "compare_associations": "列どうしの関連",
    "compare_not_there": "この列は公開データにありません。",
    "compare_binned": "{values} 個の値を、ここでは {count} 個の区間で集計しています。",
    "compare_first": "縦",
    "compare_second": "横",
    "compare_cross_about": "行の割合：元のデータ → 公開データ。",
    "compare_cross_undone": "行の割合：元のデータ → ノイズを統計的に除いた値。",
    "compare_some": "各列で最も多い {count} 個の値を示しています。",
    "compare_target": "予測する列",
    "compare_learn": "学習してスコアを計算",
    "compare_original": "元のデータ",
    "compare_learned": "学習に用いたもの",
    "compare_score_of": "元の行に対するスコア",
    # Records
    "records_order": "並べ方",
    "records_by_risk": "リスクの高い順",
    "records_by_row": "表の順",
    "records_private": (
        "これらは実在の人々の行です。この画面の内容が書き出されたり、記録や送信をされたりすることはありません。"
    ),
    "records_back": "前へ",
    "records_on": "次へ",
    "records_page": "{pages} ページ中 {page} ページ",
    "records_row": "行",
    "records_risk": "リスク（元のデータ）",
    "records_after_counted": "リスク（公開データ、計数）",
    "records_after_proved": "リスク（公開データ、証明された上限）",
    "records_after_nothing": "リスク（公開データ、保証なし）",
    "records_left_out": "非公開",
    "records_alike": "似た行",
    "records_became": "公開データでの値",
    "records_missing": "（欠測）",
    # Verdict
    "verdict_no_duties": "義務はまだ設定されていません。この公開データが満たすべき段階を「判定」の画面で選んでください。",
    "verdict_duties_good": "すべての義務を満たしています（{all} 件中 {all} 件）。",
    "verdict_duties_bad": "満たしていない義務があります（{all} 件中 {failing} 件）：{which}。",
    "verdict_duties_seeded": "満たしている義務はありません。乱数がシードから作られており、シードを知る者に対しては何も保証されません。",
    "verdict_good": "満たす",
    "verdict_bad": "満たさない",
    "verdict_no_seed": "シードなしで作成する",
    "verdict_advice_title": "有効と考えられる変更",
    "verdict_advice_about": "それぞれの変更をこの表で試します。公開データを作成し、段階を数え、損失を測り、そのあと破棄します。時間がかかります。",
    "verdict_try": "変更を試して測る",
    "verdict_measure": "指標",
    "verdict_now": "現状",
    "verdict_then": "変更後",
    "verdict_mends": "改善される段階：{rungs}",
    "verdict_mends_nothing": "不足している段階は改善されません。",
    "verdict_take": "この変更を適用",
    "verdict_impossible": "この表では不可能なもの",
    "verdict_loss": "損失は、ノイズを補正したあとの 2 列の表のずれの平均（全変動距離）です。",
    "verdict_on": "書き出しへ進む",
    "verdict_back": "判定を見る",
    # Export
    "export_no_method": "手法がまだ選ばれていません。「フロンティア」の画面で選ぶと、その結果がここに示されます。",
    "export_choose": "手法を選ぶ",
    "export_what": "取り出すもの",
    "export_release": "公開データ（行とマニフェスト）",
    "export_plan": "再実行のための計画",
    "export_script": "同じことをする Python プログラム",
    "export_report": "データ保有者向けの報告書（非公開）",
    "export_public_report": "受領者向けの報告書（公開用）",
    "export_form": "行の形式",
    "export_form_quote": "CSV（表計算ソフト用）",
    "export_formulas": (
        "{columns}には、表計算ソフトが数式として実行するセルがあります。表計算ソフトで開く人には「CSV（表計算ソフト用）」を選んでください。"
        "数式の前に引用符が付きます。"
    ),
    "export_name": "報告書での表の名前",
    "export_name_about": "両方の報告書にこの名前が入ります。公開用の報告書に名前を入れない場合は、空にしてください。",
    "export_seeded": "乱数がシードから作られているため、試験と研究専用です。",
    "export_prepare": "確認し直して用意する",
    "export_to_folder": "このコンピューターのフォルダに書き出す",
    "export_folder": "フォルダ",
    "export_write": "書き出す",
    "export_name_folder": "先にフォルダを指定してください。",
    "export_promise": "確認し直した保証",
    "export_not_yet": "公開データを書き出し、読み戻し、すべての保証を確認し直してから、取り出せるようになります。",
    "export_recounted": "読み戻して、公開された {rows} 行で確認し直しました。次の保証は守られています。",
    "export_written": "{folder} に書き出しました。",
    "export_take": "{name} をダウンロード",
    **FORMS,
}
