import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect } from 'vitest'
import { loadExtraTools } from '@/lib/engines/tools/extra-tools'
import { callToolDirectly } from './call-tool-directly'

type Place = { folder: string }

/** Loads the one tool of a module. */
async function loadTool({ folder }: Place, name: string, text: string) {
  const tools = path.join(folder, name)
  await mkdir(tools)
  await writeFile(path.join(tools, `${name}.mjs`), text)
  const [tool] = await loadExtraTools(tools)
  if (!tool) throw new Error('The example is no tool.')
  return tool
}

/** Calls a tool that asks a server on this machine. */
export async function tryExtraTool(text: string, place: Place): Promise<void> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end('{"pieces":7}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const here = text.replace('127.0.0.1:8080', `127.0.0.1:${port}`)
  if (text.includes('images:')) {
    const tool = await loadTool(place, 'camera', here)
    const { images } = await callToolDirectly(tool, { camera: 'yard' })
    const data = new Uint8Array(Buffer.from('{"pieces":7}'))
    expect([images, requests]).toEqual([[{ data, name: 'yard.jpg' }], ['/cameras/yard']])
  } else {
    const tool = await loadTool(place, 'stock-level', here)
    expect(await callToolDirectly(tool, { article: 'A-1' })).toEqual({ content: { pieces: 7 } })
    expect(requests).toEqual(['/stock/A-1'])
    await expect(callToolDirectly(tool, { article: 'small' })).rejects.toThrow()
  }
  server.close()
}

export async function tryToolError(text: string, place: Place): Promise<void> {
  const module = `export default { name: 'fails', description: 'Fails.', execute: async () => { ${text} } }`
  const tool = await loadTool(place, 'fails', module)
  await expect(callToolDirectly(tool, {})).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no such article.',
  })
}
