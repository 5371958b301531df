import { lstat, opendir } from 'node:fs/promises'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { isSecretName } from './workspace-path'

const mebibyte = 1024 * 1024
const mostEntries = 200_000
const mostNamed = 20

type Changed = { place: string; bytes: number }

/**
 * Returns the files below a workspace that are new or were changed since a moment, the largest first, each with what it takes on
 * the disk. Those with names of secrets are left out.
 */
export async function changedFiles(root: string, since: number): Promise<string[]> {
  let found: Changed[] = []
  const open = ['']
  let entries = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const listing = await opendir(`${root}/${folder}`).catch(() => null)
    if (listing === null) continue
    for await (const entry of listing) {
      entries += 1
      if (entries > mostEntries) return named(found)
      if (isSecretName(entry.name)) continue
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) open.push(place)
      if (!entry.isFile()) continue
      const facts = await lstat(`${root}/${place}`).catch(() => null)
      if (facts && facts.ctimeMs >= since) found.push({ place, bytes: facts.blocks * 512 })
    }
    if (found.length > 10 * mostNamed) found = largest(found)
  }
  return named(found)
}

function largest(found: readonly Changed[]): Changed[] {
  return found.toSorted((a, b) => b.bytes - a.bytes).slice(0, mostNamed)
}

function named(found: readonly Changed[]): string[] {
  return largest(found).map(({ place, bytes }) => {
    const printable = redactText(place.replaceAll(/[\p{C}\uFFFD]/gu, '?'), { hashes: true })
    return `${printable} (${(bytes / mebibyte).toFixed(bytes < mebibyte ? 2 : 0)} MiB)`
  })
}
