import type { Provider } from '@/lib/engines/providers/provider'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { ScriptedTurn, ServedRequest } from './model-server/scripted-turn'
import { modelTarget, runFixture, runInput, runSnapshot, testTool } from './run-fixture'

/** A thought with two calls at once, another with one, and the answer. */
export const playedTurns: ScriptedTurn[] = [
  {
    reasoning: 'I need the logs and the users.',
    text: "I'll look.",
    calls: [
      { name: 'fetch_logs', arguments: { limit: 2 }, id: 'call_1' },
      { name: 'list_users', arguments: {}, id: 'call_2' },
    ],
  },
  {
    reasoning: 'The logs once more.',
    calls: [{ name: 'fetch_logs', arguments: { limit: 5 }, id: 'call_3' }],
  },
  { text: 'All is well.' },
]

/** Makes one run of the loop with reasoning and two tools over a provider. */
export async function playRun(
  provider: Provider,
  target: Pick<ModelTarget, 'wire' | 'modelId'>,
  maxRounds = 5,
) {
  const { deps } = runFixture({
    tools: [
      testTool('fetch_logs', { execute: async () => ({ content: 'two lines' }) }),
      testTool('list_users', { execute: async () => ({ content: 'Ada, Max' }) }),
    ],
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
    },
  })
  const plain = runSnapshot()
  const snapshot = runSnapshot({
    targets: [modelTarget({ ...target, reasoning: true })],
    parameters: { ...plain.parameters, reasoningEffort: 'medium', temperature: 0.5 },
    maxRounds,
  })
  return runAgent(runInput({ snapshot }), deps)
}

/** Returns what was sent, formatted for comparison with the documentation. */
export function asPage(name: string, requests: readonly ServedRequest[]): string {
  const rounds = requests.map(
    ({ path, body }, at) =>
      `## Request ${at + 1}\n\nPOST ${path}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
  )
  return numbered(`# ${name}: a run of three rounds, as it is sent\n\n${rounds.join('\n')}`)
}

/** Returns the text with numbers in place of what the server numbers or encrypts, in the order of this page. */
function numbered(page: string): string {
  const seen: string[] = []
  return page.replace(/(answer_|sealed-)[0-9a-f]+/g, (text, kind: string) => {
    if (!seen.includes(text)) seen.push(text)
    return `${kind}${seen.filter((each) => each.startsWith(kind)).indexOf(text) + 1}`
  })
}
