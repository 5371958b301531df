// Writes what the sources need but git does not hold: the Prisma client, the index of built-in tools and the programs that
// read files and web pages.
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import './generate-workers.mjs'
import './generate-tool-index.mjs'

// As CommonJS: its ES modules import files in a way that Node does not know.
const require = createRequire(import.meta.url)
const { PrismaClientTsGenerator, getDMMF } = require('@prisma/client-generator-ts')
const { version } = require('@prisma/client/package.json')

await generateClient('prisma/schema.prisma', 'lib/generated/prisma')

/** Does what `prisma generate` does, which brings a database, a studio and 130 MB more. */
async function generateClient(schema, output) {
  const schemaPath = path.resolve(schema)
  const datamodel = await readFile(schemaPath, 'utf8')
  // A model that the schema lost must not stay behind.
  await rm(output, { recursive: true, force: true })
  await new PrismaClientTsGenerator().generate({
    generator: { output: { value: path.resolve(output) }, config: {}, previewFeatures: [] },
    datasources: [{ activeProvider: 'postgresql' }],
    schemaPath,
    datamodel,
    dmmf: await getDMMF({ datamodel: [[schemaPath, datamodel]] }),
    version,
  })
}
