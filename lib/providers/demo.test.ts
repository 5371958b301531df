import { describe, expect, it } from 'vitest'
import type { Message } from '@/lib/protocol/message'
import type { ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model-event'
import { modelText } from '@/lib/protocol/model-text'
import { skillText } from '@/lib/protocol/skill-text'
import type { ToolSpec } from '@/lib/protocol/tool'
import { demoProvider } from './demo'
import { planDemo } from './demo-plan'

const demo = demoProvider(
  { newId: () => 'incident', onIncident: () => {} },
  { startMs: 0, pieceMs: 0 },
)

const logsTool: ToolSpec = {
  name: 'fetch_logs',
  description:
    'Reads the newest entries of the log of this server. Use it to find out what went wrong.',
  parameters: {
    type: 'object',
    properties: {
      level: { type: 'string', enum: ['debug', 'info', 'warn', 'error'] },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
    },
    required: ['limit'],
  },
}
const usersTool: ToolSpec = {
  name: 'list_users',
  description: 'Lists the accounts of this installation.',
  parameters: { type: 'object', properties: {} },
}
const groupsTool: ToolSpec = { ...usersTool, name: 'list_groups', description: 'Lists the groups.' }
const assetTool: ToolSpec = {
  name: 'read_asset_meta',
  description: 'Reads what is known about one stored asset.',
  parameters: { type: 'object', properties: { uid: { type: 'string' } }, required: ['uid'] },
}
const rawTool: ToolSpec = { ...usersTool, name: 'list_users_raw' }
const tools = [logsTool, groupsTool, usersTool, rawTool, assetTool]

function request(
  messages: Message[],
  offered: ToolSpec[] = tools,
  maxOutputTokens: number | null = null,
): ModelRequest {
  const parameters = {
    temperature: null,
    topP: null,
    maxOutputTokens,
    stop: [],
    seed: null,
    reasoningEffort: null,
  }
  return { modelId: 'demo', system: '', messages, tools: offered, parameters }
}

async function ask(of: ModelRequest, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of demo.stream(of, signal)) events.push(event)
  return events
}

async function finishOf(of: ModelRequest): Promise<ModelFinish> {
  const last = (await ask(of)).at(-1)
  if (last?.type !== 'finish') throw new Error('The demo did not finish.')
  return last
}

const fence = { nonce: 'f00dfeedcafe0123', canary: 'canary-8badf00d0ddba115' }

const said = (prompt: string): Message[] => [{ role: 'user', text: prompt }]

/** The conversation after a round: what was asked for, and what each tool returned. */
function continued(
  messages: Message[],
  finish: ModelFinish,
  results: Record<string, unknown>,
): Message[] {
  const toolCalls = finish.toolCalls.map(({ name, argumentsText }, index) => ({
    callId: `c${index}`,
    providerCallId: `p${index}`,
    name,
    argumentsText,
  }))
  const answers = toolCalls.map(({ providerCallId, name }): Message => {
    const content = JSON.stringify(results[name] ?? {})
    const outcome = {
      type: 'ok' as const,
      content,
      truncated: false,
      originalBytes: content.length,
      artifacts: [],
      flags: [],
    }
    return { role: 'tool', providerCallId, name, ...modelText(name, outcome, fence) }
  })
  return [
    ...messages,
    { role: 'assistant', text: finish.text, reasoning: finish.reasoning, toolCalls },
    ...answers,
  ]
}

const callsOf = (finish: ModelFinish) =>
  finish.toolCalls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)])

describe('demo', () => {
  it('asks for what the prompt speaks of, with arguments that fit the schema', async () => {
    const finish = await finishOf(
      request(said('Show the latest 500 errors in the logs, and list all users')),
    )
    expect(finish.finishReason).toBe('tool-calls')
    expect(callsOf(finish)).toEqual([
      ['fetch_logs', { level: 'error', limit: 50 }],
      ['list_users', {}],
    ])
    expect(finish.usage).toMatchObject({ estimated: true })
  })

  it('goes on from what it read, then answers from all of it', async () => {
    const prompt = said('Who are the users?')
    const first = await finishOf(request(prompt))
    expect(callsOf(first)).toEqual([['list_users', {}]])
    const users = [
      { email: 'ada@example.org', role: 'admin', groups: ['editors'] },
      { email: 'bob@example.org', role: 'member', groups: [] },
    ]
    const messages = continued(prompt, first, { list_users: { total: 2, users } })
    const second = await finishOf(request(messages))
    expect(callsOf(second)).toEqual([['list_groups', {}]])
    const results = { list_groups: [{ name: 'editors', members: 1 }] }
    const third = await finishOf(request(continued(messages, second, results)))
    expect(third.finishReason).toBe('stop')
    expect(third.text).toContain('ada@example.org')
    expect(third.text).toContain('**`list_groups`** returned one entry')
    expect(third.text).toContain('not a language model')
  })

  it('looks closer at errors among other lines, once', async () => {
    const prompt = said('What is in the log?')
    const logs = [
      { level: 'info', message: 'fine' },
      { level: 'error', message: 'boom' },
    ]
    const first = await finishOf(request(prompt))
    expect(callsOf(first)).toEqual([['fetch_logs', { limit: 10 }]])
    const messages = continued(prompt, first, { fetch_logs: logs })
    const second = await finishOf(request(messages))
    expect(callsOf(second)).toEqual([['fetch_logs', { limit: 10, level: 'error' }]])
    const third = await finishOf(request(continued(messages, second, { fetch_logs: logs })))
    expect(third.toolCalls).toEqual([])
  })

  it('never asks for a tool that is not offered, nor for a raw one unasked', async () => {
    const finish = await finishOf(request(said('logs users'), [rawTool]))
    expect(finish.toolCalls).toEqual([])
    const named = await finishOf(request(said('Run list_users_raw'), [rawTool]))
    expect(callsOf(named)).toEqual([['list_users_raw', {}]])
  })

  it('leaves out a tool whose required argument the prompt does not give', async () => {
    expect((await finishOf(request(said('Show the asset')))).toolCalls).toEqual([])
    const uid = '0198c0de-0000-7000-8000-000000000001'
    const finish = await finishOf(request(said(`Show the asset ${uid}`)))
    expect(callsOf(finish)).toEqual([['read_asset_meta', { uid }]])
  })

  it('never writes the fence around skills and results, nor the marker inside', async () => {
    const skills = skillText(
      [{ name: 'log-reader', body: 'Show asset 42 with list_users.' }],
      fence,
    )
    const prompt = said(`${skills}Show the logs and the asset`)
    const first = await ask(request(prompt))
    const asked = first.at(-1) as ModelFinish
    expect(callsOf(asked)).toEqual([['fetch_logs', { limit: 10 }]])
    const gone = { type: 'failed', code: 'gone', message: 'No logs.', incidentId: null } as const
    const failed = { role: 'tool', providerCallId: 'p', name: 'fetch_logs' } as const
    const answers = [
      await ask(
        request(continued(prompt, asked, { fetch_logs: [{ level: 'info', message: 'x' }] })),
      ),
      await ask(request(continued(prompt, asked, { fetch_logs: 'plain text' }))),
      await ask(
        request([
          ...continued(prompt, asked, {}).slice(0, -1),
          { ...failed, ...modelText('fetch_logs', gone, fence) },
        ]),
      ),
    ]
    const written = JSON.stringify([first, ...answers])
    expect(written).toContain('plain text')
    expect(written).toContain('No logs.')
    expect(written).not.toMatch(/f00dfeedcafe0123|8badf00d0ddba115|untrusted|marker/)
  })

  it('says so when no tools are offered, none fits, or one was refused', async () => {
    expect((await finishOf(request(said('Show the logs'), []))).text).toContain(
      'No tools were offered',
    )
    expect((await finishOf(request(said('Sing a song')))).text).toContain(
      'None of the 5 tools offered fits',
    )
    const denied = modelText('fetch_logs', { type: 'denied', gate: 'enabled', reason: 'x' }, fence)
    const messages: Message[] = [
      ...said('Show the logs'),
      {
        role: 'assistant',
        text: '',
        reasoning: [],
        toolCalls: [{ callId: 'c', providerCallId: 'p', name: 'fetch_logs', argumentsText: '{}' }],
      },
      { role: 'tool', providerCallId: 'p', name: 'fetch_logs', ...denied },
    ]
    expect((await finishOf(request(messages))).text).toContain('gave no result: `Refused, not run')
  })

  it('shows results as text that cannot become links or headings', async () => {
    const prompt = said('logs')
    const first = await finishOf(request(prompt, [logsTool]))
    const evil = '`![x](https://evil.example/?q=1) <img src=x onerror=alert(1)>\n# hi'
    const messages = continued(prompt, first, { fetch_logs: [{ message: evil }] })
    const { text } = await finishOf(request(messages, [logsTool]))
    expect(text).toContain('`![x](https://evil.example/?q=1) <img src=x onerror=alert(1)> # hi`')
  })

  it('streams the answer in words, stops at the limit and when told to', async () => {
    const events = await ask(request(said('hello')))
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
    expect(deltas.length).toBeGreaterThan(20)
    expect(deltas.join('')).toBe((events.at(-1) as ModelFinish).text)

    const short = await finishOf(request(said('hello'), tools, 5))
    expect(short).toMatchObject({ finishReason: 'length' })
    expect(short.text).toHaveLength(20)

    const stop = new AbortController()
    stop.abort()
    expect((await ask(request(said('hello')), stop.signal)).at(-1)).toMatchObject({
      type: 'error',
      failure: { category: 'cancelled' },
    })
  })
})

it('plans a prompt of 200,000 characters without a blank, and reads it once', () => {
  const messages: Message[] = [
    { role: 'user', text: `${'a/'.repeat(50_000)} ${'1'.repeat(99_000)}` },
  ]
  expect(planDemo(messages, [])).toEqual({ why: '', calls: [] })
})
