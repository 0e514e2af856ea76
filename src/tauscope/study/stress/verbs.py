"""What a study can be asked about stress; each verb hands arrays to the engine and names the result."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from tauscope.data.ranges import RandomState
from tauscope.study.base import StudyBase

if TYPE_CHECKING:
    from tauscope.data.features import Feature
    from tauscope.results.stress.curves import Interval, StressCurves
    from tauscope.results.stress.image import StressImage
    from tauscope.results.stress.joint import JointStress
    from tauscope.results.stress.refit_curves import RefitCurves
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.surface import StressSurface
    from tauscope.stress.joint.adjusted import Hold
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.stress.curves import Features
    from tauscope.study.stress.metrics import MetricLike


class StressVerbs(StudyBase):
    """The stress engine's verbs."""

    def stress_curves(
        self,
        features: "Features | None" = None,
        *,
        taus: int | Sequence[float] = 21,
        quantile: float = 0.05,
        metrics: "MetricLike | Sequence[MetricLike] | None" = None,
        confidence: float = 0.95,
        interval: "Interval" = "analytic",
        random_state: RandomState = None,
        hold: "Hold | None" = None,
        hold_features: "Features | None" = None,
        progress: bool = True,
    ) -> "StressCurves":
        """Move the mean of one feature at a time, all else as close as can be, and follow what the model does.

        Parameters
        ----------
        features : name, position, or several of them, optional
            A column of levels gives the share of each. By default every feature that can be moved.
        taus : int or sequence of float, default 21
            An odd number of steps from -1 to 1, or values in [-1, 1].
        quantile : float, default 0.05
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of the feature.
        metrics : str, callable, or several, optional
            Names of the task's own, such as "error_rate", or any scikit-learn metric. By default the task's own.
        confidence : float, default 0.95
            Level of the intervals, in (0, 1).
        interval : {"analytic", "bootstrap-t"}
            How the intervals are made: from influence functions, or by 300 replicates of the rows, dearer and truer
            for small data and curved responses.
        random_state : int, Generator or None
            Draws the replicates.
        hold : {"means", "uncorrelated"}, optional
            What stays while a feature moves: the means of all others, or also their being uncorrelated with it. Tells
            causation from correlation; dearer, and on few rows out of reach, which is said.
        hold_features : name, position, or several of them, optional
            What is held; by default every other feature but the rarest levels.
        progress : bool, default True
            Whether a bar shows after two seconds.

        Returns
        -------
        StressCurves

        Raises
        ------
        UnknownName
            For a feature or metric that is not there, with the nearest names.
        InputError
            For a feature that no stress can move, or a number out of its range.
        """
        from tauscope.study.stress.curves import stress_curves

        return stress_curves(
            self,
            features,
            taus=taus,
            quantile=quantile,
            metrics=metrics,
            confidence=confidence,
            interval=interval,
            random_state=random_state,
            hold=hold,
            hold_features=hold_features,
            progress=progress,
        )

    def joint_stress(
        self,
        features: "Features | None" = None,
        *,
        quantile: float = 0.05,
        confidence: float = 0.95,
        metrics: str | Sequence[str] | None = None,
    ) -> "JointStress":
        """Move several features at once: a slider each, any combination answered.

        Parameters
        ----------
        features : name, position, or several of them, optional
            A column of levels gives the share of each. By default every feature that can be moved.
        quantile : float, default 0.05
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a feature.
        confidence : float, default 0.95
            Level of the intervals, in (0, 1).
        metrics : str, or several, optional
            Names of the task's metrics, such as "error_rate". By default all of them.

        Returns
        -------
        JointStress

        Raises
        ------
        UnknownName
            For a feature or metric that is not there, with the nearest names.
        InputError
            For a feature that no stress can move, a metric that is not the task's own, or a number out of its range.
        """
        from tauscope.study.stress.joint import joint_stress

        return joint_stress(self, features, quantile=quantile, confidence=confidence, metrics=metrics)

    def stress_surface(
        self,
        feature_a: "str | int | Feature",
        feature_b: "str | int | Feature",
        *,
        taus: int | Sequence[float] = 21,
        quantile: float = 0.05,
        metrics: "MetricLike | Sequence[MetricLike] | None" = None,
        confidence: float = 0.95,
        progress: bool = True,
    ) -> "StressSurface":
        """Move the means of two features at once, over every pair of τ, and follow every metric.

        Parameters
        ----------
        feature_a, feature_b : name or position
            A column of numbers, or the share of one level ("sex = Female").
        taus : int or sequence of float, default 21
            An odd number of steps from -1 to 1, or values in [-1, 1]; the same for both.
        quantile : float, default 0.05
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a feature.
        metrics : str or several, optional
            Names of the task's metrics, such as "error_rate". By default all of them.
        confidence : float, default 0.95
            Level of the intervals, in (0, 1).
        progress : bool, default True
            Whether a bar shows after two seconds.

        Returns
        -------
        StressSurface
            Both means are held at every cell; cells that no weights on these rows can reach say so.

        Raises
        ------
        UnknownName
            For a feature or metric that is not there, with the nearest names.
        InputError
            For a feature that no stress can move, the same one twice, a metric that is not the task's own, or a number
            out of its range.
        DependentConstraints
            For two features of which one is a linear function of the other.
        """
        from tauscope.study.stress.surface import stress_surface

        return stress_surface(
            self,
            feature_a,
            feature_b,
            taus=taus,
            quantile=quantile,
            metrics=metrics,
            confidence=confidence,
            progress=progress,
        )

    def stress_image(
        self,
        shape: tuple[int, ...],
        *,
        taus: int | Sequence[float] = (-1, 0, 1),
        quantile: float = 0.05,
        metrics: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        progress: bool = True,
    ) -> "StressImage":
        """Move the mean of each pixel, one at a time, and map what the classifier does.

        Parameters
        ----------
        shape : tuple of int
            (height, width) or (height, width, channels), which the study's columns are in C order.
        taus : int or sequence of float, default (-1, 0, 1)
            An odd number of steps from -1 to 1, or values in [-1, 1].
        quantile : float, default 0.05
            τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles of a pixel.
        metrics : str or several, optional
            The portion of a class, or a rate. By default all of the task, but the mean score.
        confidence : float, default 0.95
            Level of the intervals, in (0, 1).
        progress : bool, default True
            Whether a bar shows after two seconds.

        Returns
        -------
        StressImage
            Exact; pixels of at most 256 values are counted once. Images that come in chunks go to
            `tauscope.ChunkedStudy`.

        Raises
        ------
        InputError
            For a shape that does not account for every column, a regression, columns of levels, or pixels of which
            none differs.
        UnknownName
            For a metric that is not there.
        """
        from tauscope.study.stress.image import stress_image

        return stress_image(
            self, shape, taus=taus, quantile=quantile, metrics=metrics, confidence=confidence, progress=progress
        )

    def refit_curves(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_splits: int = 50,
        test_size: float = 0.25,
        features: "Features | None" = None,
        taus: int | Sequence[float] = 21,
        quantile: float = 0.05,
        metrics: "MetricLike | Sequence[MetricLike] | None" = None,
        quantiles: tuple[float, float] = (0.1, 0.9),
        random_state: RandomState = None,
        progress: bool = True,
    ) -> "RefitCurves":
        """Fit the learner anew on random splits and see how far its stress curves spread.

        Measures the learner's variance: what other training rows would have made of the curves. The intervals of
        `stress_curves` measure something else, the rows that one model is judged on.

        Parameters
        ----------
        estimator : scikit-learn estimator or Pipeline
            Cloned for each split; need not be fitted.
        X, y : rows and labels
            All rows there are, to fit on and to stress, in the columns of the study.
        n_splits : int, default 50
            At least 2.
        test_size : float, default 0.25
            Share of the rows, in (0, 1), that are stressed and not fitted on; classes keep their shares.
        features, taus, quantile, metrics
            As in `stress_curves`.
        quantiles : tuple of two floats, default (0.1, 0.9)
            Levels of the band.
        random_state : int, Generator or None
            Draws the splits.
        progress : bool, default True
            Whether a bar shows after two seconds. An interrupt leaves the refits done so far, and says so.

        Returns
        -------
        RefitCurves

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As in `stress_curves`; for an estimator that cannot be cloned and fitted, other columns than the study's,
            too few rows of a class, or a number out of its range.

        References
        ----------
        Bachoc, Gamboa, Loubes, Risser, "Entropic Variable Boosting for Explainability and Interpretability in
        Machine Learning", 2018, §4.1.
        """
        from tauscope.study.stress.refit_curves import refit_curves

        return refit_curves(
            self,
            self._given,
            estimator,
            X,
            y,
            n_splits=n_splits,
            test_size=test_size,
            features=features,
            taus=taus,
            quantile=quantile,
            metrics=metrics,
            quantiles=quantiles,
            random_state=random_state,
            progress=progress,
        )

    def reweight(
        self, stress: "Constraint | Stress", *, quantile: float = 0.05, confidence: float = 0.95
    ) -> "Reweighting":
        """Find the closest weights under which a stress holds; see `tauscope.study.stress.reweight`."""
        from tauscope.study.stress.reweight import reweight

        return reweight(self, stress, quantile=quantile, confidence=confidence)

    def under(self, stress: "Constraint | Stress | Reweighting", *, quantile: float = 0.05) -> Self:
        """Return the same study with its rows weighted as a stress, or a reweighting of it, has them.

        Stresses on the new study start from these weights. The model is not asked again.
        """
        from tauscope.study.stress.reweight import stressed_weights

        weights = stressed_weights(self, stress, quantile)
        return self._like(replace(self._given, sample_weight=weights), self._prediction, self._truth)
