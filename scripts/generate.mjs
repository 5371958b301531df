// Writes what the sources need but git does not hold: the Prisma client, the index of built-in tools and the programs that
// read files and web pages.
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import './generate-workers.mjs'
import './generate-tool-index.mjs'

// As CommonJS: their ES modules import files in a way that Node does not know.
const require = createRequire(import.meta.url)
const prisma = require('@prisma/internals')
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')

await generateClient('prisma/schema.prisma')

/** Does what `prisma generate` does, which brings a database, a studio and 130 MB more. */
async function generateClient(schema) {
  const schemaPath = path.resolve(schema)
  const content = await readFile(schemaPath, 'utf8')
  const input = { datamodel: [[schemaPath, content]] }
  const { generators, datasources } = await prisma.getConfig(input)
  const [generator] = generators
  const output = path.resolve(path.dirname(schemaPath), generator.output.value)
  // A model that the schema lost must not stay behind.
  await rm(output, { recursive: true, force: true })
  await new PrismaClientTsGenerator().generate({
    generator: { ...generator, output: { ...generator.output, value: output } },
    otherGenerators: [],
    schemaPath,
    datamodel: content,
    datasources,
    dmmf: await prisma.getDMMF(input),
    version: prisma.version,
    binaryPaths: {},
  })
}
