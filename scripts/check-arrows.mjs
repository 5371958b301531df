// Checks the arrows of ARCHITECTURE.md (.dependency-cruiser.cjs) and fails when it sees nothing to check.
import { createRequire } from 'node:module'
import path from 'node:path'

const FOLDERS = [
  'app',
  'bin',
  'components',
  'lib',
  'prisma',
  'scripts',
  'tests',
  'instrumentation.ts',
  'proxy.ts',
]

const require = createRequire(import.meta.url)
const root = path.join(import.meta.dirname, '..')

let withTypes = true
teachParser(require('@swc/core'))
const { cruise } = await import('dependency-cruiser')
const { forbidden, options } = require('../.dependency-cruiser.cjs')

// Rules that let types pass are asked about what is left at run time, all others about every import.
const letsTypesPass = (rule) => rule.to.dependencyTypesNot?.includes('type-only') ?? false
const found = [
  ...(await violations(forbidden.filter((rule) => !letsTypesPass(rule)))),
  ...(await violations(forbidden.filter(letsTypesPass), { atRunTime: true })),
]
for (const line of found) console.error(line)
console.log(`${found.length} arrows point the wrong way.`)
process.exit(found.length === 0 ? 0 : 1)

async function violations(rules, { atRunTime = false } = {}) {
  withTypes = !atRunTime
  const resolve = { alias: { '@': root } }
  const { output } = await cruise(
    FOLDERS,
    { ...options, ruleSet: { forbidden: rules }, validate: true },
    resolve,
  )
  const sources = output.modules.filter((module) => !module.source.startsWith('node_modules'))
  const arrows = sources.reduce((sum, module) => sum + module.dependencies.length, 0)
  if (sources.length < 50 || arrows < 50) {
    throw new Error(
      `Only ${sources.length} modules with ${arrows} imports were seen: the check is blind.`,
    )
  }
  console.log(`${sources.length} modules, ${arrows} imports${atRunTime ? ' at run time' : ''}`)
  return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
}

/** dependency-cruiser's parser for TypeScript knows neither JSX nor which imports are of types alone. */
function teachParser(swc) {
  const parse = swc.parseFileSync
  swc.parseFileSync = (file, parserOptions) => {
    const tree = parse(file, { ...parserOptions, tsx: file.endsWith('.tsx') })
    if (!withTypes) tree.body = tree.body.filter((statement) => !isTypeOnly(statement))
    return tree
  }
}

function isTypeOnly({ type, typeOnly, specifiers = [] }) {
  if (type !== 'ImportDeclaration' && type !== 'ExportNamedDeclaration') return false
  if (typeOnly) return true
  return specifiers.length > 0 && specifiers.every((specifier) => specifier.isTypeOnly)
}
