import type { RunDeps } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { eventsOf, runFixture, runInput, testTool } from './run-fixture'
import { asks, says } from './scripted-model'

type Setup = {
  args?: object | string
  name?: string
  deps?: Partial<RunDeps>
  subject?: Partial<Subject>
}

/** Runs one call of a tool `look` and gives its end, what the model was told, and the run. */
export async function callOnce(
  fields: Partial<ExecutableTool>,
  { name = 'look', args, ...setup }: Setup = {},
) {
  const run = runFixture({
    script: [asks([name, args]), says('Done.')],
    tools: [testTool('look', fields)],
    ...setup,
  })
  const state = await runAgent(runInput(), run.deps)
  const [end] = eventsOf(run.events, 'call-end')
  if (!end) throw new Error('The call has no end.')
  const modelSaw = run.model.calls[1]?.request.messages.at(-1)
  if (modelSaw?.role !== 'tool') throw new Error('The model was told nothing.')
  return { run, state, end: end.data, outcome: end.data.outcome, modelSaw }
}
