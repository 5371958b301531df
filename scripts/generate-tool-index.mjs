// Writes lib/engines/tools/builtin/index.generated.ts: every tool file of that folder, sorted by tool name (SPEC T1).
// Usage: node scripts/generate-tool-index.mjs [folder]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const INDEX = 'index.generated.ts'
const defaultFolder = fileURLToPath(new URL('../lib/engines/tools/builtin', import.meta.url))

class IndexError extends Error {}

/** Returns the tool's name from its file. It must be a literal so that this script can read it. */
function readTool(folder, file) {
  const source = readFileSync(join(folder, file), 'utf8')
  if (!/export default\s+defineTool\s*\(/.test(source)) {
    throw new IndexError(`${file} must default-export defineTool({ … }).`)
  }
  const declared = /export default\s+defineTool\s*\(\s*\{[\s\S]*?\bname:\s*(['"])([^'"\n]*)\1/.exec(
    source,
  )
  if (declared === null)
    throw new IndexError(`${file} must give its tool's name as a plain string.`)
  return { file, name: declared[2] }
}

function checkTools(tools) {
  const files = new Map()
  for (const { file, name } of tools) {
    const other = files.get(name)
    if (other !== undefined) {
      throw new IndexError(
        `Two tools are called ${name}: ${other} and ${file}. Rename one of them.`,
      )
    }
    files.set(name, file)
  }
  for (const { file, name } of tools) {
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
      throw new IndexError(
        `${file} calls its tool "${name}": a name is lower-case words joined by single underscores.`,
      )
    }
    const expected = `${name.replaceAll('_', '-')}.ts`
    if (file !== expected) {
      throw new IndexError(
        `${file} declares the tool ${name}: name the file ${expected}, or change the tool's name.`,
      )
    }
  }
}

function camelCase(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase())
}

function renderIndex(tools) {
  const imports = tools.map(
    ({ file, name }) => `import ${camelCase(name)}Tool from './${basename(file, '.ts')}'`,
  )
  return [
    '// Written by scripts/generate-tool-index.mjs. Do not edit: add a file to this folder instead.',
    "import type { ToolDefinition } from '../define-tool'",
    ...imports,
    '',
    'export const builtinTools: readonly ToolDefinition[] = [',
    ...tools.map(({ name }) => `  ${camelCase(name)}Tool,`),
    ']',
    '',
  ].join('\n')
}

function generateToolIndex(folder) {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== INDEX,
  )
  const tools = files.sort().map((file) => readTool(folder, file))
  checkTools(tools)
  tools.sort((a, b) => (a.name < b.name ? -1 : 1))
  const target = join(folder, INDEX)
  const text = renderIndex(tools)
  if (readIfThere(target) !== text) writeFileSync(target, text)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

try {
  generateToolIndex(process.argv[2] ?? defaultFolder)
} catch (error) {
  if (!(error instanceof IndexError)) throw error
  console.error(`The tool index was not written: ${error.message}`)
  process.exitCode = 1
}
