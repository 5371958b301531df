import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loop } from './measure'
import { loadPageTool, type PageTool } from './page-tool'
import { number, ratio } from './print-table'

/** The loop of another framework under its name and version. */
export type Peer = [name: string, loop: Loop]

const sources = ['package.json', 'package-lock.json', 'bench/peer-loops.mjs']
/** Away from the sources, so that no check of them looks into packages. */
const folder = path.resolve('.data/bench-peers')

/** Installs the frameworks that are compared, which are no part of Toolgate, as their lockfile says, and opens their loops. */
export async function openPeers(modelUrl: string): Promise<Peer[]> {
  for (const file of sources) {
    await cp(path.join('tools', file), path.join(folder, path.basename(file)))
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status}.`)
  const address = pathToFileURL(path.join(folder, 'peer-loops.mjs')).href
  const module: { openPeers: (url: string, tool: PageTool) => Peer[] } = await import(address)
  return module.openPeers(modelUrl, await loadPageTool())
}

/** Returns the titles of two columns for each. */
export function peerTitles(peers: readonly Peer[]): string[] {
  return peers.flatMap(([name]) => [name, 'vs `fetch`'])
}

/** Returns the CPU of each, and its ratio to that of `fetch`. */
export function peerFigures(
  costs: readonly { cpuMs: number }[],
  fetch: { cpuMs: number },
): string[] {
  return costs.flatMap(({ cpuMs }) => [number(cpuMs), ratio(cpuMs, fetch.cpuMs)])
}
