import { engines } from '@/package.json'
import { type Finding, fail, ok } from './finding'

/** `version` as in process.version, "v20.19.0". */
export function checkNode(version = process.version): Finding {
  const wanted = engines.node.replace(/^>=/, '')
  if (atLeast(version.slice(1), wanted)) return ok('Node', version)
  return fail('Node', `${version} is too old`, `Install Node ${wanted} or newer.`)
}

function atLeast(version: string, wanted: string): boolean {
  return version.localeCompare(wanted, 'en', { numeric: true }) >= 0
}
