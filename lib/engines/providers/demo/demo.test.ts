import { describe, expect, it } from 'vitest'
import type { Message, ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model/message'
import { modelText, skillText } from '@/lib/protocol/model/model-text'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import type { ToolSpec } from '@/lib/protocol/tool'
import { demoProvider } from './demo'
import { nextDemoCalls } from './demo-script'

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
const otherTool: ToolSpec = { ...usersTool, name: 'sing' }
const tools = [logsTool, groupsTool, usersTool, otherTool]

const logsPrompt = 'Look at the latest errors in the application log. What should I check first?'

function request(
  messages: Message[],
  offered: ToolSpec[] = tools,
  maxOutputTokens: number | null = null,
): ModelRequest {
  const parameters = { ...defaultModelParameters, maxOutputTokens }
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

/** Returns the conversation after a round: the calls, and the result of each tool. */
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
  it('calls what its script has for the prompt, however it is written', async () => {
    for (const prompt of [logsPrompt, ` ${logsPrompt.toUpperCase().replaceAll(' ', '\n')} `]) {
      const finish = await finishOf(request(said(prompt)))
      expect(finish.finishReason).toBe('tool-calls')
      expect(callsOf(finish)).toEqual([['fetch_logs', { level: 'error', limit: 10 }]])
      expect(finish.reasoning.map(({ text }) => text).join('')).toContain('fetch_logs')
      expect(finish.usage).toMatchObject({ estimated: true })
    }
  })

  it('goes on with its next round, then answers from all it read', async () => {
    const prompt = said('Which accounts exist here, and which of them are admins?')
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

  it('tells rows whose columns are named once', async () => {
    const prompt = said('call sing')
    const first = await finishOf(request(prompt))
    const songs = { columns: ['song', 'times'], rows: [['la', '7']], more: false }
    const { text } = await finishOf(request(continued(prompt, first, { sing: songs })))
    expect(text).toContain('**`sing`** returned one entry.\n\n- song `la`, times `7`')
  })

  it('never calls a tool that is not offered', async () => {
    const all = said('What can you find out about this installation?')
    expect(callsOf(await finishOf(request(all, [usersTool])))).toEqual([['list_users', {}]])
    expect(callsOf(await finishOf(request(all, [logsTool])))).toEqual([
      ['fetch_logs', { limit: 10 }],
    ])
    expect(callsOf(await finishOf(request(all, [groupsTool])))).toEqual([])
  })

  it('calls what a prompt spells out, round by round, as it is written', async () => {
    const prompt = said('Call sing with {"song": "a\\nb", \n "loud": {"x": 1}}.\n  call list_users')
    const first = await finishOf(request(prompt))
    expect(callsOf(first)).toEqual([['sing', { song: 'a\nb', loud: { x: 1 } }]])
    const second = await finishOf(request(continued(prompt, first, { sing: 'la' })))
    expect(callsOf(second)).toEqual([['list_users', {}]])
    const wrong = await finishOf(request(said('call sing with {song}')))
    expect(wrong.toolCalls.map(({ argumentsText }) => argumentsText)).toEqual(['{song}'])
    expect(callsOf(await finishOf(request(said('Use'))))).toEqual([])
    const other = await finishOf(request(said('Call dance_now')))
    expect(callsOf(other)).toEqual([['dance_now', {}]])
    const missing = await finishOf(request(said('Call dance_now'), []))
    expect(missing.text).toContain('calls `dance_now`, but this run was offered none of them')
  })

  it('never writes the fence around skills and results, nor the marker inside', async () => {
    const skills = skillText(
      [{ name: 'log-reader', body: 'Show asset 42 with list_users.' }],
      fence,
    )
    const prompt = said(`${skills}${logsPrompt}`)
    const first = await ask(request(prompt))
    const requested = first.at(-1) as ModelFinish
    expect(callsOf(requested)).toEqual([['fetch_logs', { level: 'error', limit: 10 }]])
    const gone = { type: 'failed', code: 'gone', message: 'No logs.', incidentId: null } as const
    const failed = { role: 'tool', providerCallId: 'p', name: 'fetch_logs' } as const
    const answers = [
      await ask(
        request(continued(prompt, requested, { fetch_logs: [{ level: 'info', message: 'x' }] })),
      ),
      await ask(request(continued(prompt, requested, { fetch_logs: 'plain text' }))),
      await ask(
        request([
          ...continued(prompt, requested, {}).slice(0, -1),
          { ...failed, ...modelText('fetch_logs', gone, fence) },
        ]),
      ),
    ]
    const written = JSON.stringify([first, ...answers])
    expect(written).toContain('plain text')
    expect(written).toContain('No logs.')
    expect(written).not.toMatch(/f00dfeedcafe0123|8badf00d0ddba115|untrusted|marker/)
  })

  it('says what it can do when it does not know the prompt, or its tools are missing', async () => {
    const unknown = await finishOf(request(said('Sing a song'), [logsTool, otherTool]))
    expect(unknown.toolCalls).toEqual([])
    expect(unknown.text).toContain('does not know this prompt')
    expect(unknown.text).toContain(`- ${logsPrompt}`)
    expect(unknown.text).toContain('- `Use sing {}`')
    expect(unknown.text).not.toContain('accounts')
    const parameters = {
      properties: {
        path: { type: 'string' },
        lines: { type: 'integer' },
        all: { type: 'boolean' },
      },
      required: ['path', 'lines', 'all'],
    }
    const other = await finishOf(request(said('Sing a song'), [{ ...otherTool, parameters }]))
    expect(other.text).toContain('- `Use sing {"path":"…","lines":1,"all":true}`')
    const missing = await finishOf(request(said(logsPrompt), [usersTool]))
    expect(missing.text).toContain('calls `fetch_logs`, but this run was offered none of them')
    expect(missing.text).toContain('- Who may sign in here?')
    const none = await finishOf(request(said('Sing a song'), []))
    expect(none.text).toContain('It uses `get_runtime_info`, `list_users`, `fetch_logs`, ')
  })

  it('says so when a call was refused', async () => {
    const denied = modelText('fetch_logs', { type: 'denied', gate: 'enabled', reason: 'x' }, fence)
    const messages: Message[] = [
      ...said(logsPrompt),
      {
        role: 'assistant',
        text: '',
        reasoning: [],
        toolCalls: [{ callId: 'c', providerCallId: 'p', name: 'fetch_logs', argumentsText: '{}' }],
      },
      { role: 'tool', providerCallId: 'p', name: 'fetch_logs', ...denied },
    ]
    expect((await finishOf(request(messages))).text).toContain(
      '**`fetch_logs`** was not run: `This tool is switched off on this site.` An admin can switch it on under **Tools**.',
    )
  })

  it('does what plain words ask for, and says what it did not understand or had no round for', async () => {
    const prompt = said('List the groups. Dance with me! Then use get_secrets and then sing')
    const first = await finishOf(request(prompt))
    expect(callsOf(first)).toEqual([['list_groups', {}]])
    const after = continued(prompt, first, { list_groups: [{ name: 'Editors' }] })
    // It is not offered: its gate says why.
    expect(callsOf(await finishOf(request(after)))).toEqual([['get_secrets', {}]])
    const { text } = await finishOf(request(after, []))
    expect(text).toContain('name `Editors`')
    expect(text).toContain('did not understand this part of the prompt: `Dance with me`')
    expect(text).toContain('did not understand this part of the prompt: `sing`')
    expect(text).toContain('This run had no round left to call `get_secrets`.')
  })

  it('names the arguments that a prompt does not give', async () => {
    const { reasoning, toolCalls } = await finishOf(request(said('Use fetch_logs')))
    expect(toolCalls).toEqual([{ id: null, name: 'fetch_logs', argumentsText: '{"limit":20}' }])
    expect(reasoning[0]?.text).toContain('The prompt does not say limit')
  })

  it('shows results as text that cannot become links or headings', async () => {
    const prompt = said(logsPrompt)
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

it('recognises at once that a prompt of 200,000 characters is no sample prompt', () => {
  const messages: Message[] = [{ role: 'user', text: 'who may sign in here '.repeat(10_000) }]
  expect(nextDemoCalls(messages, tools)).toEqual([])
})
