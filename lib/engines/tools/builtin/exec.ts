import { z } from 'zod'
import { commandLineOf } from '@/lib/words/command-line'
import { defineTool } from '../define-tool'
import { mostOutputBytes, prepareCommand, runInTurn } from '../run-program'
import { pathSchema, workspaceSchema } from '../workspace-access'

export default defineTool({
  name: 'exec',
  description:
    'Runs one program in a folder of a workspace and answers with its exit code and output. There is no shell: no pipes, no ' +
    'redirection, no variables, no wildcards; each argument is passed on as it is. Only listed programs can be run, some with certain arguments ' +
    'alone; a wrong name is answered with those that are listed. It sees the workspace and nothing else of the server.',
  group: 'workspace',
  parameters: z.object({
    workspace: workspaceSchema(),
    program: z.string().max(100).describe('The name of a listed program, such as "git".'),
    arguments: z
      .array(
        z
          .string()
          .max(10_000)
          .regex(/^[^\0]*$/, 'An argument has no NUL character.'),
      )
      .max(200)
      .default([])
      .describe('Its arguments, one by one, such as ["log", "--oneline", "-5"].'),
    folder: pathSchema('The folder below the workspace where it begins.').default(''),
  }),
  enabledByDefault: false,
  requiresAdmin: true,
  needs: 'program',
  effect: 'write',
  dataClass: 'source-code',
  // The longest wait for its turn, the longest time limit of a program, and what is done around it.
  timeoutMs: 450_000,
  limits: [
    'programs that an admin listed, with the arguments that they allow',
    'no network unless the program may use it',
    'time and memory of each program: 60 s and 512 MiB unless it says otherwise',
    `${mostOutputBytes / 1024} KiB of output`,
    '64 processes at once',
    'files of at most 256 MiB, and 1,024 MiB more in the workspace unless the settings say otherwise',
    'one program at a time in a workspace that tools may write, and 4 at once on the server; others wait for up to 120 s',
  ],
  example: { workspace: 'handbook', program: 'git', arguments: ['log', '--oneline', '-5'] },
  look: {
    isAct: true,
    read: async (input, context) => {
      const { argv, place, box } = await prepareCommand(input, context.resources)
      const how =
        box === null
          ? 'Without a sandbox'
          : `In a sandbox, ${box.network ? 'with' : 'without'} network${box.isWritable ? '' : '; it cannot write files'}`
      return `${commandLineOf(argv)}\n\nin ${place}\n${how}`
    },
  },
  execute: runInTurn,
})
