'use client'
import { usePathname } from 'next/navigation'
import { DetailSkeleton, ListSkeleton } from '@/components/ui/page-skeletons'
import { everyNoun, pathOf } from '@/lib/protocol/nouns'

const lists = new Set<string>(everyNoun.map(pathOf))

/** Shows grey shapes while a page of a noun loads: its list, or one of its objects below that. */
export function ResourceSkeleton() {
  return lists.has(usePathname()) ? <ListSkeleton /> : <DetailSkeleton />
}
