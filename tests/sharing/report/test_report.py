import re
from datetime import date
from html import unescape

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from sharing.report.pages import HOSTILE, Tags, sections, text_of, written
from tauscope.results.formatting import number, points, share
from tauscope.sharing.report.report import SECTIONS

pytestmark = pytest.mark.slow

OLDER = ts.Scenario("older", {"age": 0.3})
BOTH = ts.Scenario(f"both {HOSTILE}", {"age": 0.2, HOSTILE: -0.2}, hold="means")


def made(C: float = 0.625):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["age", HOSTILE])
    y = pd.Series(np.where(X["age"] + rng.normal(size=300) > 0, "yes", "no"), name="bought")
    model = make_pipeline(StandardScaler(), LogisticRegression(C=C)).fit(X, y)
    return ts.Study(model, X, y, progress=False)


@pytest.fixture(scope="module")
def study():
    return made()


@pytest.fixture(scope="module")
def whole(study, tmp_path_factory):
    return written(
        study,
        tmp_path_factory.mktemp("reports") / "r.html",
        scenarios=[OLDER, BOTH],
        by=study.X["age"] > 1,
        features=["age"],
        row=4,
        towards=study.towards(study.X[:80] + 0.1, study.y[:80]),
        beside=made(C=1e-4),
        author=f"A. Person {HOSTILE}",
        purpose="To see.",
        notes="One line.\nAnother.",
        random_state=11,
    )


def test_it_begins_with_what_the_model_is_and_the_questions(study, whole):
    card = sections(whole)["What this is"].text
    said = (
        "bought = yes", "Pipeline", "C=0.625", "300", "binary", study.data_hash, date.today().isoformat(), "To see.",
    )  # fmt: skip
    assert [words for words in said if words not in card] == []
    assert re.search(r"Seed\s*11", card)
    assert "One line.\nAnother." in card
    assert re.search(r"tauscope \d", card)
    true = float(np.mean(study._true_values == 1))
    assert f"yes: {share(true)} of the rows, {share(float(np.mean(study.predicted == 1)))} predicted" in card
    asked = [text_of(one).strip() for one in re.findall(r'<li><a href="#q\d+">(.*?)</a></li>', whole)]
    assert asked == list(sections(whole))[1:]
    assert set(re.findall(r'href="#(q\d+)"', whole)) == set(re.findall(r'<section id="(q\d+)"', whole))


def test_every_question_is_answered_before_what_it_rests_on(whole):
    for head, body in re.findall(r'<section id="q\d+"><h2>(.*?)</h2>(.*?)</section>', whole, re.S):
        assert text_of(head).strip().endswith("?")
        assert body.startswith('<p class="answer">')
    assert all(read.answer for head, read in sections(whole).items() if head != "What this is")
    cut = [head for head, read in sections(whole).items() if re.search(r"… \[\w{6}\] …", read.text)]
    assert cut == []


def test_its_numbers_are_those_of_the_verbs(study, whole):
    read = sections(whole)
    joint = study.joint_stress()
    one = joint.unstressed[joint.metric_names.index("error_rate")]
    said = f"{share(one.value)} (95 % interval {share(one.lower)} to {share(one.upper)})"
    assert f"The error rate is {said}, of 300 rows." in read["How well does it decide on these rows?"].answer
    for scenario in (OLDER, BOTH):
        answer = read[f"Does it still decide well in “{scenario.name}”?"].answer
        moved = study.reweight(scenario)
        row = moved.metrics.set_index("metric").loc["error_rate"]
        assert f"{share(row['value'])} (95 % interval {share(row['lower'])} to {share(row['upper'])})" in answer
        assert f"effective sample {moved.ess:,.0f} of 300" in answer
    worst = study.stress_curves().harm().frame.iloc[0]
    harm = read["Which shift harms the error rate most?"].answer
    assert harm.startswith(f"{worst['feature']} {worst['direction']} (")
    assert f"to {share(worst['value'])}" in harm
    effect = study.effect("age").frame
    ends = effect["effect"].min(), effect["effect"].max()
    assert all(share(float(end)) in read["What does the model do with age?"].answer for end in ends)
    boundary = study.boundary(4, random_state=11)
    assert read["What would flip the decision of row 4?"].answer.startswith(boundary.sentence)


def test_groups_are_told_by_their_gap(study, whole):
    by = study.X["age"] > 1
    for name, gaps in (
        ("differently", study.metrics_by(by).gaps),
        ("differently in “older”", study.reweight(OLDER).by(by).gaps),
    ):
        head = next(head for head in sections(whole) if head.startswith(f"Who is treated {name}, by "))
        gap = gaps.set_index("metric").loc["error_rate"]
        said = f"{points(gap['gap'])} (95 % interval {points(gap['gap_lower'])} to {points(gap['gap_upper'])})"
        assert said in sections(whole)[head].answer
        assert ("these rows do not show a gap" in sections(whole)[head].answer) == any(gaps["gap_lower"][:2] <= 0)


def test_thresholds_populations_and_other_models_are_told(study, whole):
    read = sections(whole)
    best = study.threshold_curves(OLDER).best.iloc[-1]
    answer = read["Would another threshold decide better in “older”?"].answer
    assert f"a threshold of {number(best['threshold'])} costs least" in answer
    assert f"from {number(best['lower'])} to {number(best['upper'])}" in answer
    assert ("is among them" in answer) == (best["lower"] <= 0.5 <= best["upper"])
    there = study.towards(study.X[:80] + 0.1, study.y[:80]).metrics.set_index("metric").loc["error_rate"]
    answer = read["Does it still decide well in the population of 80 new rows?"].answer
    assert f"expected to be {share(there['value'])}" in answer
    assert f"{share(there['observed'])} (" in answer
    found = ts.compare(study, made(C=1e-4)).frame.set_index("metric").loc["error_rate"]
    answer = read["Does the other model decide better than this model?"].answer
    assert f"{share(found['second'])} for the other model and {share(found['first'])} for this model" in answer
    assert ("does not tell the two apart" in answer) == (found["better"] == "")


def test_of_scores_that_fit_no_slope_the_mean_is_told_and_relied_on(tmp_path):
    X = pd.DataFrame({"age": np.arange(200.0)})
    y = np.arange(200) % 4 == 0
    page = written(ts.Study.from_predictions(X, y, y_score=np.full(200, 0.3)), tmp_path / "r.html")
    answer = sections(page)["Do its probabilities say how often it is so?"].answer
    assert answer.endswith("do not show that it is off. Reliable. No slope can be fitted.")


def test_calibration_and_the_worst_case_are_told(study, whole):
    read = sections(whole)
    for scenario, head in (
        (None, "Do its probabilities say how often it is so?"),
        (OLDER, "Do its probabilities say how often it is so in “older”?"),
    ):
        found = study.calibration(scenario)
        rows = found.summary[found.summary["population"] == found.populations[-1]].set_index("measure")
        mean, slope, ece = (
            rows.loc[name] for name in ("calibration_in_the_large", "calibration_slope", "expected_calibration_error")
        )
        answer = read[head].answer
        side = "above" if mean["value"] > 0 else "below"
        assert f"of yes is {points(abs(mean['value']))} {side} its share" in answer
        assert ("do not show that it is off" in answer) == (mean["lower"] <= 0 <= mean["upper"])
        assert f"slope is {number(slope['value'])} ({number(slope['lower'])} to {number(slope['upper'])})" in answer
        assert ("of a calibrated model, is within" in answer) == (slope["lower"] <= 1 <= slope["upper"])
        assert f"would show {share(ece['if_calibrated'])} by chance" in read[head].text
    worst = read["How bad can the error rate get, features moved together?"]
    harm = study.stress_curves().harm()
    features = list(dict.fromkeys(one.feature for one in harm.shifts))
    found = study.worst_case("error_rate", within={"tv": harm._asked}, features=features, random_state=11)
    bound = study.worst_case("error_rate", within={"tv": harm._asked})
    for value in (found.before, found.value, found.lower, found.upper, found.held_out.estimate.value, bound.value):
        assert share(value) in worst.text
    assert share(found.value) in worst.answer
    assert share(found.held_out.estimate.value) in worst.answer
    moved = next(code for code in worst.code if code.startswith("ts."))
    again = study.reweight(eval(moved, {"ts": ts}), metrics="error_rate").metrics["value"].item()
    assert again == pytest.approx(found.value, abs=1e-9)


def test_probabilities_too_far_apart_and_too_near_are_told_apart(study, tmp_path):
    from scipy.special import expit, logit

    head = "Do its probabilities say how often it is so?"
    for power, said in ((3, "too far apart"), (0.2, "too near each other")):
        score = expit(power * logit(study.score))
        other = ts.Study.from_predictions(study.X, study._true_values, study.predicted, score)
        assert said in sections(written(other, tmp_path / "r.html"))[head].answer


def test_what_was_moved_can_be_evaluated_and_gives_the_number_shown(study, whole):
    read = sections(whole)["Which shift harms the error rate most?"]
    moved = [code for code in read.code if code.startswith("ts.")]
    harm = study.stress_curves().harm().frame
    assert len(moved) == min(10, sum(harm["reliability"] != "out of reach"))
    for code, (_, row) in zip(moved, harm.iterrows(), strict=False):
        found = study.reweight(eval(code, {"ts": ts}), metrics="error_rate").metrics["value"].item()
        assert share(found) == share(row["value"]), code
        assert share(row["value"]) in read.text
    for scenario in (OLDER, BOTH):
        read = sections(whole)[f"Does it still decide well in “{scenario.name}”?"]
        stress = next(code for code in read.code if code.startswith("ts."))
        assert eval(stress, {"ts": ts}) == scenario
        lines = next(code for code in read.code if "study.reweight(" in code).splitlines()
        assert lines[0] == "import tauscope as ts"
        value = eval("\n".join(lines[2:]), {"ts": ts, "study": study}).metrics.set_index("metric")["value"]
        assert share(value["error_rate"]) in read.answer


def test_it_says_how_it_is_made_again(study, whole, tmp_path):
    code = sections(whole)["What this is"].code[0]
    assert f"assert study.data_hash == {study.data_hash!r}" in code
    assert "    by=…," in code
    assert "    towards=…,\n    beside=…,\n    random_state=11," in code
    path = tmp_path / "simple.html"
    first = written(study, path, scenarios=[OLDER], features=["age"], purpose=HOSTILE)
    code = sections(first)["What this is"].code[0]
    assert "…" not in code
    exec(code.replace("'simple.html'", repr(str(path))), {"study": study})
    assert sections(path.read_text("utf-8")).keys() == sections(first).keys()


def test_it_has_no_script_and_text_stays_text(whole):
    assert "<script" not in whole
    assert "script-src 'none'" in whole
    assert HOSTILE not in whole
    assert "onerror" in unescape(whole)
    tags = Tags(whole).found
    assert {"section", "table", "img", "dl", "nav"} <= {tag for tag, _ in tags}
    asked = [value for _, given in tags for name, value in given if name in ("src", "href", "onerror", "srcset")]
    assert asked
    assert [value for value in asked if not re.match(r"data:image/|#q\d+$", value)] == []


def test_what_was_not_asked_for_is_not_there_and_is_named(study, tmp_path):
    read = sections(written(study, tmp_path / "r.html"))
    assert list(read) == [
        "What this is",
        "How well does it decide on these rows?",
        "Which shift harms the error rate most?",
        "How bad can the error rate get, features moved together?",
        "How far can the curves be trusted?",
        "Would another threshold decide better?",
        "Do its probabilities say how often it is so?",
        "What does the model do with age?",
        f"What does the model do with {HOSTILE}?",
        "What was not looked at?",
        "What can this report not say?",
    ]
    assert not {"Author", "Purpose"} & set(re.findall("<dt>(.*?)</dt>", (tmp_path / "r.html").read_text("utf-8")))
    said = read["What was not looked at?"].text
    for words in ("scenarios=", "towards=", "beside=", "by=", "none of the 300 rows was explained"):
        assert words in said


def test_other_models_have_reports_too(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "kind": rng.choice(["x", "y"], 200)})
    y = X["a"] + rng.normal(size=200)
    regression = ts.Study(lambda rows: rows["a"], X, y)
    heads = sections(written(regression, tmp_path / "a.html", row=0, by="kind"))
    assert "What is enough for the decision of row 0?" in heads
    assert "What would flip the decision of row 0?" not in heads
    assert not any(head.startswith("Would another threshold") for head in heads)
    alone = ts.Study.from_predictions(X[["kind"]], y > 0, y > 0.1, sample_weight=np.arange(200) + 1)
    heads = sections(written(alone, tmp_path / "b.html", by="kind"))
    assert not any(head.startswith("What does the model do") for head in heads)
    assert "200, weighted" in heads["What this is"].text
    many = ts.Study.from_predictions(X[["a"]], rng.integers(0, 20, 200), rng.integers(0, 20, 200), task="multiclass")
    assert "and 8 more" in sections(written(many, tmp_path / "c.html"))["What this is"].text


def test_what_cannot_be_written_says_so(study, tmp_path):
    with pytest.raises(ts.InputError, match=r"written as \.html.*got '\.pdf'"):
        study.report(tmp_path / "r.pdf")
    with pytest.raises(ts.InputError, match="between 0 and 299; got 300"):
        study.report(tmp_path / "r.html", row=300)
    with pytest.raises(ts.InputTypeError, match="author must be text; got int"):
        study.report(tmp_path / "r.html", author=3)
    with pytest.raises(ts.UnknownName, match="age"):
        study.report(tmp_path / "r.html", features=["agee"])
    alone = ts.Study.from_predictions(study.X[["age"]], study.y, study.y)
    with pytest.raises(ts.InputError, match="model"):
        alone.report(tmp_path / "r.html", row=0)
    with pytest.raises(ts.InputTypeError, match=r"towards is what study\.towards"):
        study.report(tmp_path / "r.html", towards=study.X)
    half = study.where(study.X["age"] > 0)
    with pytest.raises(ts.InputError, match="of this study's rows"):
        half.report(tmp_path / "r.html", towards=study.towards(study.X[:80]))
    with pytest.raises(ts.InputError, match="rows"):
        study.report(tmp_path / "r.html", beside=half)
    assert not list(tmp_path.iterdir())


def test_one_feature_is_named_as_several(study, tmp_path):
    for features in ("age", ["age"]):
        study.report(tmp_path / f"{len(features)}.html", features=features)
    one, several = (sections((tmp_path / f"{n}.html").read_text("utf-8")) for n in (3, 1))
    assert {head: read.answer for head, read in one.items()} == {head: read.answer for head, read in several.items()}


def test_every_file_of_sections_is_in_the_list():
    from pathlib import Path

    import tauscope.sharing.report as room

    files = {path.stem for path in Path(room.__file__).parent.glob("*.py") if "def sections(audit" in path.read_text()}
    assert files == {ask.__module__.rpartition(".")[2] for ask in SECTIONS}


def test_every_level_of_a_group_comes_with_its_reason(study, tmp_path):
    few = pd.Series(np.where(np.arange(300) < 12, f"few {'and long ' * 20}", "many"), name="size")
    read = sections(written(study, tmp_path / "r.html", by=few, features=[]))["Who is treated differently, by size?"]
    by = study.metrics_by(few)
    doubted = by.frame[by.frame["reliability"] != "reliable"]
    assert len(doubted)
    assert all(note.split(": read")[0] in read.text for note in doubted["note"])
    gap = by.gaps.set_index("metric").loc["error_rate"]
    assert gap["reliability"] != "reliable"
    assert f"Reliability: {gap['note']}." in read.answer
