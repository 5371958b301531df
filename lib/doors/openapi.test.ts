import { expect, test } from 'vitest'
import { endpoints } from './api/endpoints'
import { openApiDocument } from './openapi'

type Operation = {
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, unknown>
}
const document = openApiDocument(endpoints, 'http://localhost:3000') as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the document has every endpoint once, under a name of its own', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(operations).toHaveLength(endpoints.length)
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(endpoints.length)
})

test('each operation has the parameters of its path, and what a success and a refusal look like', () => {
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^2/), '401', '403']),
    )
  }
})

test('every reference leads somewhere in the document', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  for (const [, reference = ''] of references) {
    const target = reference
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
    expect(target, reference).toBeDefined()
  }
})

test('a verb’s input is described without what the path says, and with its reason', () => {
  const change = document.paths['/budgets/{id}']?.patch as unknown as {
    requestBody: { content: { 'application/json': { schema: { properties: object } } } }
  }
  const { properties } = change.requestBody.content['application/json'].schema
  expect(Object.keys(properties)).toEqual(['updatedAt', 'amount', 'unpriced', 'enabled', 'reason'])
})
