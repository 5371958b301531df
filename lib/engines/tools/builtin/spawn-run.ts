import { z } from 'zod'
import { childLimits } from '@/lib/protocol/run/child-runs'
import { cleanText } from '@/lib/words/clean-text'
import { formatDuration } from '@/lib/words/format'
import { defineTool } from '../define-tool'

const { ofRun, atOnce, ms, promptCharacters } = childLimits

/** Time beyond its working time that a run may wait for its place, its budget and its end. */
const marginMs = 30_000

export default defineTool({
  name: 'spawn_run',
  description:
    'Gives a task to another run, with a configuration that you name, and waits for its answer. The other run knows nothing of ' +
    'this conversation: write all it needs into the prompt. It gets no tools but those of this run, and may not start runs itself. ' +
    'A wrong configuration is answered with those that you may use. ' +
    'To have several work at once, ask for them in one answer that asks for nothing else.',
  group: 'agents',
  parameters: z.object({
    configuration: z.string().trim().min(1).max(100).describe('The identifier of a configuration.'),
    prompt: z
      .string()
      .overwrite(cleanText)
      .trim()
      .min(1)
      .max(promptCharacters)
      .describe('The whole task.'),
    tools: z
      .array(z.string().min(1).max(64))
      .max(100)
      .optional()
      .describe('The tools that it may use, of yours. Leave it out for all; [] = none.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  startsRuns: true,
  effect: 'write',
  dataClass: 'content',
  timeoutMs: ms + marginMs,
  limits: [
    `${ofRun} runs a run, ${atOnce} at once`,
    `${promptCharacters.toLocaleString('en')} characters a prompt`,
    `${formatDuration(ms)} of work`,
    'no run below a run that was started so',
  ],
  example: { configuration: 'demo', prompt: 'What is 17 times 23?', tools: ['calculate'] },
  look: {
    isAct: true,
    read: (input, { resources, callId }) => resources.runs.shown({ tools: null, ...input }, callId),
  },
  execute: async (input, context) => {
    const { runId, configuration, answer, unfinished, dataClass } =
      await context.resources.runs.ask({ tools: null, ...input }, context)
    return {
      content: { run: runId, configuration, answer, ...(unfinished && { unfinished }) },
      leftOut: unfinished ? [{ what: 'the rest of the answer', why: unfinished }] : [],
      ...(dataClass && { dataClass }),
    }
  },
})
