"""Models for the tests of this folder."""

from tests.llama_models import models, smollm2

__all__ = ["models", "smollm2"]
