"""What a reader chooses of networks that learn: the controls that the labs on XOR have in common."""

from __future__ import annotations

from typing import Annotated

from labs.contract import Interval, Label
from labs.models import dense

Activation = Annotated[dense.Activation, Label("Activation", help="Of the hidden units; the output's is sigmoid.")]
Scale = Annotated[float, Interval(ge=0, le=5), Label("First weights", unit="× normal")]
LearningRate = Annotated[float, Interval(ge=0.01, le=2), Label("Learning rate")]
Loss = Annotated[dense.Loss, Label("Loss", help="bce: cross-entropy; mse: squared error.")]
Over = Annotated[dense.Over, Label("Over the points", help="Whether the loss is their sum or their mean.")]
BiasMean = Annotated[
    bool, Label("Average the biases’ gradient", group="Mistakes", help="np.mean where np.sum is meant.")
]
