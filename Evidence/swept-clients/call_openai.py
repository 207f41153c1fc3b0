"""A model of OpenAI, and an answer of it."""

import os
import sys

import openai

try:
    url = os.environ["UNDERSTUDY_BASE_URL"] + "/v1"
    client = openai.OpenAI(base_url=url, api_key="sk-test", timeout=5, max_retries=0)
    model = client.models.retrieve("gpt-4o-mini")
    answer = client.chat.completions.create(model=model.id, messages=[{"role": "user", "content": "Hello"}])
    print(model.owned_by, answer.choices[0].message.content)
except openai.OpenAIError as error:
    print(type(error).__name__, error, file=sys.stderr)
    sys.exit(3)
