import type { Command } from 'commander'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import { checkFileText } from '@/lib/protocol/check/file-text'
import { visibleText } from '@/lib/words/clean-text'
import { command } from '../command'
import { readFileOrInput } from '../input/read-input'
import { readYaml } from '../input/read-yaml'
import { printLine } from '../print'
import { terminal } from '../terminal'

const verbs = () => import('@/lib/runs/checks/carry-checks')

const maxBytes = 1024 * 1024

/** Adds the commands that write checks to a file and read them from one. */
export function addCheckFileCommands(check: Command): void {
  command<{ suite?: string; output?: string }>(check, 'export', {
    description:
      'write a check, or the checks of a suite, with their recorded results as a JSON file',
    args: { '[check]': 'name or id of the check' },
    json: false,
    options: (made) =>
      made
        .option('--suite <name>', 'the checks of this suite')
        .option('-o, --output <file>', 'file to write (default: standard output)'),
    work: async ({ ctx, args: [named], options: { suite, output } }) => {
      const { file, leftOut } = await (await verbs()).exportChecks(ctx, { check: named, suite })
      const text = checkFileText(file)
      for (const sentence of leftOut) terminal().writeError(`toolgate: ${visibleText(sentence)}\n`)
      if (output === undefined) return { text: () => void terminal().write(text) }
      await terminal()
        .writeFile(output, text)
        .catch(() => {
          throw new AppError('file', 500, `Cannot write ${output}. Check its folder.`)
        })
      return { text: `Wrote ${output}.` }
    },
  })
  command<{ replace?: boolean }>(check, 'import', {
    description: 'store the checks of a file as your own',
    args: { '<file>': 'the file; - reads standard input' },
    reason: true,
    options: (made) => made.option('--replace', 'replace your checks that have the same names'),
    work: async ({ ctx, args: [path = ''], options: { replace, reason } }) => {
      const file = readYaml(await readFileOrInput(path, maxBytes))
      if (typeof file !== 'object' || file === null)
        throw new ValidationError({ file: 'This is no file of checks.' })
      const { importChecks } = await verbs()
      const given = { file, replace, reason } as Parameters<typeof importChecks>[1]
      const done = await importChecks(ctx, given)
      const text = () => {
        for (const [word, names] of Object.entries(done))
          for (const name of names) printLine(visibleText(`${word} ${name}`))
      }
      return { json: done, text }
    },
  })
}
