import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { compilerOptions } from './steps/compile-programs.mjs'

test('the process that starts the server loads the start of PostgreSQL, and no schema and no client of the database', async () => {
  const { metafile } = await build({
    ...compilerOptions,
    entryPoints: ['scripts/serve.ts'],
    outdir: 'unused',
    write: false,
    metafile: true,
  })
  const loaded = Object.keys(metafile.inputs)

  expect(loaded).toContain('lib/installation/embedded-postgres.ts')
  expect(
    loaded.filter((file) => /^node_modules\/zod|^lib\/(?!installation|kernel)/.test(file)),
  ).toEqual([])
  expect(loaded).not.toContain('lib/kernel/db.ts')
})
