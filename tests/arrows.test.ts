import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'

// `node scripts/check-arrows.mjs` checks the sources; these tests prove that it would notice an error.
let folder: string | undefined
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true })
})

/** Each file, and the rule that it breaks; null = it may import that. */
const planted: [file: string, text: string, breaks: string | null][] = [
  ['lib/kernel/db.ts', 'export const db = 1\nexport type Db = number', null],
  ['lib/kernel/errors.ts', 'export class Oops extends Error {}', null],
  ['scripts/tool.ts', 'export const tool = 1', null],
  [
    'lib/kernel/scripted.ts',
    "import { tool } from '@/scripts/tool'\nexport const s = tool",
    'product-sees-no-author-tools',
  ],
  [
    'lib/installation/engine.ts',
    "export const load = () => import('@prisma/schema-engine-wasm/schema_engine_bg')",
    'running-needs-no-package-of-the-tests',
  ],
  [
    'lib/kernel/tested.ts',
    "import { test } from 'vitest'\nexport const tested = test",
    'running-needs-no-package-of-the-tests',
  ],
  ['lib/kernel/tested.test.ts', "import { test } from 'vitest'\ntest('a')", null],
  ['lib/protocol/run.ts', 'export type Run = string\nexport const run = 1', null],
  [
    'lib/protocol/shaped.ts',
    "export { field } from '../shape/field'",
    'shape-is-above-the-protocol',
  ],
  ['lib/shape/field.ts', "export { run as field } from '../protocol/run'", null],
  [
    'lib/words/told.ts',
    "import type { Run } from '../protocol/run'\nexport type Told = Run",
    'json-schema-and-words-stand-alone',
  ],
  ['lib/domains/users/shared/greeting.ts', "export { run } from '@/lib/protocol/run'", null],
  [
    'lib/domains/users/shared/stored.ts',
    "import type { Db } from '@/lib/kernel/db'\nexport type Stored = Db",
    'shared-code-of-nouns-is-pure',
  ],
  ['lib/domains/groups/greeted.ts', "export { run } from '../users/shared/greeting'", null],
  [
    'lib/engines/tools/greeted.ts',
    "export { run } from '@/lib/domains/users/shared/greeting'",
    null,
  ],
  [
    'components/nouns/greeted.tsx',
    "import { run } from '@/lib/domains/users/shared/greeting'\nexport const G = () => <p>{run}</p>",
    null,
  ],
  ['lib/domains/users/value.ts', "import { db } from '@/lib/kernel/db'\nexport const a = db", null],
  [
    'lib/domains/groups/value.ts',
    "import { a } from '../users/value'\nexport const b = a",
    'domains-are-strangers',
  ],
  [
    'lib/domains/groups/typed.ts',
    "import type { Db } from '../tasks/typed'\nexport type T = Db",
    'domains-are-strangers',
  ],
  ['lib/domains/tasks/typed.ts', "export type { Db } from '../../kernel/db'", null],
  [
    'lib/kernel/up.ts',
    "export const up = () => import('../domains/users/value')",
    'kernel-imports-nothing-upward',
  ],
  ['lib/edge/told.ts', "export { run } from '../domains/users/shared/greeting'", null],
  [
    'lib/edge/up.ts',
    "import type { Db } from '../domains/tasks/typed'\nexport type Up = Db",
    'edge-is-above-the-kernel',
  ],
  ['lib/nouns.ts', "export { a } from '@/lib/domains/users/value'", null],
  ['lib/domains/groups/joined.ts', "export { a } from '@/lib/nouns'", 'domains-see-no-engine'],
  ['lib/toolset/joined.ts', "export { a } from '@/lib/nouns'", 'runs-is-above-the-toolset'],
  ['lib/next/leave.ts', "export { redirect } from 'next/navigation'", null],
  ['lib/probes/leave.ts', "export { redirect } from 'next/navigation'", 'next-is-for-pages'],
  ['lib/probes/cached.ts', "export { cache } from 'react'", 'next-is-for-pages'],
  ['lib/probes/leaves.ts', "export { redirect } from '@/lib/next/leave'", 'next-is-for-pages'],
  ['lib/auth/session.ts', "export { default as signIn } from 'next-auth'", null],
  [
    'lib/next/session.ts',
    "import type { Session } from 'next-auth'\nexport type Signed = Session",
    'sign-in-stays-in-auth',
  ],
  ['lib/runs/begin.ts', "export { DBOS } from '@dbos-inc/dbos-sdk'", null],
  [
    'lib/runs/take.ts',
    "export { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'",
    'internals-of-dbos-are-in-one-file',
  ],
  [
    'lib/engines/tools/pure.ts',
    "import type { Db } from '../../kernel/db'\nexport type P = Db",
    'engines-are-pure',
  ],
  [
    'components/nouns/typed.tsx',
    "import { type Oops } from '@/lib/kernel/errors'\nexport const N = (_: { o: Oops }) => <p>a</p>",
    null,
  ],
  [
    'components/nouns/value.tsx',
    "import { Oops } from '@/lib/kernel/errors'\nexport const V = () => <p>{new Oops().name}</p>",
    'components-see-pure-code-only',
  ],
  [
    'components/nouns/leaf.tsx',
    "import { run } from '@/lib/protocol/run'\nexport const L = () => <p>{run}</p>",
    null,
  ],
  ['app/(console)/runs/part.tsx', 'export const Part = () => <p>a</p>', null],
  [
    'app/(console)/(admin)/tools/page.tsx',
    "import { Part } from '../../runs/part'\nexport default () => <Part />",
    'sections-are-strangers',
  ],
  [
    'app/(console)/runs/page.tsx',
    "import { Part } from './part'\nexport default () => <Part />",
    null,
  ],
  [
    'lib/protocol/one.ts',
    "import type { Two } from './two'\nexport type One = Two | 1",
    'no-cycles',
  ],
  // Each circle is reported once.
  ['lib/protocol/two.ts', "import type { One } from './one'\nexport type Two = One[]", null],
  ['lib/protocol/lost.ts', "export { gone } from './gone'", 'no-unresolvable'],
]

function check(folder: string) {
  const script = path.resolve('scripts/check-arrows.mjs')
  return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
}

test('finds imports of values and of types, in TypeScript and in JSX, and fails for a file that it does not see', () => {
  folder = mkdtempSync(path.join(tmpdir(), 'toolgate-arrows-'))
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  for (const file of [
    '.dependency-cruiser.cjs',
    'tsconfig.base.json',
    'tsconfig.json',
    'package.json',
  ]) {
    cpSync(file, path.join(folder, file))
  }
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n')
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  for (const [file, text] of planted) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const { status, stdout, stderr } = check(folder)
  const found = [...stdout.matchAll(/error ([a-z-]+): (\S+) →/g)].map(([, rule, file]) => [
    file,
    rule,
  ])
  const expected = planted.flatMap(([file, , breaks]) => (breaks ? [[file, breaks]] : []))
  expect(found.sort()).toEqual(expected.sort())
  expect(stderr).toBe('')
  expect(status).toBe(1)

  const rules = readFileSync('.dependency-cruiser.cjs', 'utf8')
  const blind = rules.replace("exclude: { path: '^", "exclude: { path: '^lib/|^")
  writeFileSync(path.join(folder, '.dependency-cruiser.cjs'), blind)
  const unseen = planted.filter(([file]) => file.startsWith('lib/')).length
  expect(check(folder).stderr).toContain(`${unseen} source files were not seen, such as lib/`)
})
