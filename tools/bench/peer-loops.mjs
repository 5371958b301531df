import { readFileSync } from 'node:fs'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { runAgentLoop } from '@mariozechner/pi-agent-core'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'

const mostRounds = 1_000
const instructions = 'Be brief.'
const modelName = 'test-model'

/** Returns the loop of each framework as its documentation shows it, with streamed answers, under its name and version. */
export function openPeers(url, pageTool) {
  const baseUrl = `${url}/v1`
  return [
    [versioned('ai'), aiLoop(baseUrl, pageTool)],
    [versioned('@mariozechner/pi-agent-core'), piLoop(baseUrl, pageTool)],
  ]
}

function versioned(name) {
  const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url)
  return `\`${name}\` ${JSON.parse(readFileSync(manifest, 'utf8')).version}`
}

function aiLoop(baseURL, { name, description, parameters, execute }) {
  const settings = { name: 'benchmark', baseURL, apiKey: 'sk-none', includeUsage: true }
  const model = createOpenAICompatible(settings)(modelName)
  const read = tool({
    description,
    inputSchema: jsonSchema(parameters),
    execute: async (args) => (await execute(args)).content,
  })
  return async (prompt) => {
    const result = streamText({
      model,
      system: instructions,
      prompt,
      tools: { [name]: read },
      stopWhen: stepCountIs(mostRounds),
      maxRetries: 0,
    })
    // The stream must be read for the run to go on.
    for await (const _part of result.fullStream);
    return result.text
  }
}

function piLoop(baseUrl, { name, description, parameters, execute }) {
  const model = {
    id: modelName,
    name: modelName,
    api: 'openai-completions',
    provider: 'benchmark',
    baseUrl,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 10_000_000,
    maxTokens: 4_000,
  }
  const read = {
    name,
    label: name,
    description,
    parameters,
    execute: async (_id, args) => {
      const { content } = await execute(args)
      return { content: [{ type: 'text', text: content }], details: null }
    },
  }
  const config = { model, apiKey: 'sk-none', convertToLlm: (messages) => messages }
  return async (prompt) => {
    const context = { systemPrompt: instructions, messages: [], tools: [read] }
    const message = { role: 'user', content: prompt, timestamp: Date.now() }
    const messages = await runAgentLoop([message], context, config, () => undefined)
    const parts = messages.at(-1).content
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }
}
