import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SERVER_PACKAGE } from '@/scripts/steps/compile-server.mjs'

/** Code of lib/ that browsers run, too, or that works with the framework: it is bundled with the pages. */
const bundled =
  /^lib\/(protocol|json-schema|words|shape|next)\/|^lib\/domains\/[^/]+\/(shape$|shared\/)/
const isImporter = /^(app|components|lib\/next)\/|^(instrumentation-node|proxy)\.ts$/

const sources = ['app', 'components', 'lib']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(folder, file),
    ),
  )
  .concat('instrumentation-node.ts', 'proxy.ts')
  .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file) && !file.includes('generated'))

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, specifier]) => specifier ?? '')
}

test('pages import what only the server runs from its package, so that it is not bundled with each of them', () => {
  const wrong = sources
    .filter((file) => isImporter.test(file))
    .flatMap((file) =>
      importsOf(file)
        .map((specifier) =>
          specifier.startsWith('.')
            ? path.posix.join(path.posix.dirname(file), specifier)
            : specifier.replace(/^@\//, ''),
        )
        .filter((imported) => imported.startsWith('lib/') && !bundled.test(imported))
        .map(
          (imported) => `${file} imports ${imported}, not ${SERVER_PACKAGE}${imported.slice(3)}`,
        ),
    )
  expect(wrong).toEqual([])
})

test('modules of lib import one another, and not the package that they are compiled into', () => {
  const wrong = sources
    .filter((file) => file.startsWith('lib/') && !isImporter.test(file))
    .filter((file) => importsOf(file).some((specifier) => specifier.startsWith(SERVER_PACKAGE)))
  expect(wrong).toEqual([])
})
