import { formatCount } from '@/lib/protocol/format'

/** "1 call", "3 calls". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
