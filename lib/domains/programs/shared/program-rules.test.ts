import { describe, expect, it } from 'vitest'
import { knownPrograms } from './known-programs'
import { refusedArgument, wordsIn } from './program-rules'

function answerOf(program: string, args: string[]): string | null {
  const known = knownPrograms.find(({ name }) => name === program)
  const rules = {
    subcommands: wordsIn(known?.subcommands ?? ''),
    refused: wordsIn(known?.refused ?? ''),
  }
  return refusedArgument(program, rules, args)
}

/** Arguments that make these programs run others, read elsewhere, or write where they should not. */
const refused: [string, string[]][] = [
  ['git', ['-c', 'core.pager=id', 'log']],
  ['git', ['--exec-path=/tmp', 'log']],
  ['git', ['--config-env=core.pager=HOME', 'log']],
  ['git', ['-C', '/etc', 'log']],
  ['git', ['--git-dir=/tmp', 'log']],
  ['git', ['-p', 'log']],
  ['git', ['clone', 'https://example.org/a.git']],
  ['git', ['push']],
  ['git', ['config', 'core.pager', 'id']],
  ['git', ['bisect', 'run', 'id']],
  ['git', ['rebase', '--exec', 'id']],
  ['git', ['submodule', 'foreach', 'id']],
  ['git', []],
  ['git', ['log', '--ext-diff']],
  ['git', ['log', '--ext']],
  ['git', ['diff', '--textconv']],
  ['git', ['diff', '--no-index', '/etc/passwd', '/dev/null']],
  ['git', ['diff', '--output=/tmp/x']],
  ['git', ['grep', '-Oid', 'x']],
  ['git', ['grep', '--open-files-in-pager=id', 'x']],
  ['git', ['grep', '--open', 'x']],
  ['git', ['cat-file', '--filters', 'HEAD:a']],
  ['find', ['.', '-exec', 'id', ';']],
  ['find', ['.', '-execdir', 'id', '+']],
  ['find', ['.', '-ok', 'id', ';']],
  ['find', ['.', '-okdir', 'id', ';']],
  ['find', ['.', '-delete']],
  ['find', ['.', '-fprintf', 'x', 'y']],
  ['find', ['.', '-fls', 'x']],
  ['find', ['-files0-from', 'x']],
  ['tar', ['xf', 'a.tar', '--to-command=id']],
  ['tar', ['-xf', 'a.tar', '--to-command=id']],
  ['tar', ['-xf', 'a.tar', '--to-c', 'id']],
  ['tar', ['-xf', 'a.tar', '-Iid']],
  ['tar', ['-xf', 'a.tar', '-vI', 'id']],
  ['tar', ['-xf', 'a.tar', '--use-compress-program=id']],
  ['tar', ['-xf', 'a.tar', '--checkpoint-action=exec=id']],
  ['tar', ['-xf', 'a.tar', '--info-script=id']],
  ['tar', ['-xf', 'a.tar', '-F', 'id']],
  ['tar', ['-xf', 'a.tar', '--rsh-command=id']],
  ['tar', ['-xf', 'a.tar', '-T', 'list']],
  ['tar', ['-xf', 'a.tar', '-C', '/tmp']],
  ['tar', ['-xf', 'a.tar', '-P']],
  ['tar', ['-cf', 'a.tar', '.']],
  ['rg', ['--pre', 'id', 'x']],
  ['rg', ['--pre=id', 'x']],
  ['rg', ['-z', 'x']],
  ['rg', ['-iz', 'x']],
  ['rg', ['--hostname-bin=id', 'x']],
  ['sed', ['-i', 's/a/b/', 'docs/a.md']],
  ['sed', ['-ni', 's/a/b/', 'docs/a.md']],
  ['sed', ['--in-place=.x', 's/a/b/', 'docs/a.md']],
  ['sed', ['-f', 'script']],
  ['sort', ['--compress-program=id', 'docs/a.md']],
  ['sort', ['-o', 'docs/a.md', 'docs/a.md']],
  ['sort', ['-ruo', 'x']],
  ['jq', ['-L', '/tmp', '.']],
  ['jq', ['--slurpfile', 'a', '/etc/passwd', '.']],
  ['grep', ['-f', '/etc/passwd', 'x']],
  ['tail', ['-f', 'docs/a.md']],
  ['sha256sum', ['-c', 'list']],
]

describe('arguments that are refused', () => {
  it.each(refused)('%s %j', (program, args) => {
    expect(answerOf(program, args)).toMatch(/^(The first argument|Argument \d+) of /)
  })
})

const allowed: [string, string[]][] = [
  ['git', ['log', '--oneline', '-5', '--', 'docs']],
  ['git', ['show', 'HEAD~1:docs/a.md']],
  ['git', ['diff', '--stat', 'main']],
  ['git', ['blame', '-L', '1,5', 'docs/a.md']],
  ['find', ['.', '-name', '*.md', '-newer', 'docs/a.md', '-print0']],
  ['tar', ['-tf', 'a.tar']],
  ['tar', ['-xf', 'a.tar', '--strip-components=1', '-v']],
  ['rg', ['-n', '--type', 'md', 'exec']],
  ['grep', ['-rn', '--include=*.md', 'exec', 'docs']],
  ['sed', ['-n', '1,5p', 'docs/a.md']],
  ['sort', ['-k', '2', '-n', 'docs/a.md']],
  ['jq', ['-r', '.name', 'package.json']],
  ['sh', ['-c', 'anything']],
]

describe('arguments that are passed on', () => {
  it.each(allowed)('%s %j', (program, args) => {
    expect(answerOf(program, args)).toBe(null)
  })
})

it('names the argument and the option, or what the first argument may be', () => {
  const rules = { subcommands: ['log', 'show'], refused: ['--exec'] }
  expect(refusedArgument('git', rules, ['log', '--ex=id'])).toBe(
    'Argument 2 of git gives --exec, which is refused.',
  )
  expect(refusedArgument('git', rules, [])).toBe(
    'The first argument of git must be one of log, show.',
  )
})
