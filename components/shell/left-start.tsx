'use client'
import { useEffect, useState } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import type { FindStart } from './lost-start'
import { sentStart } from './sent-start'

/** Most pages follow no start, so it is loaded where one was left. */
const LostStart = lazyPart(async () => (await import('./lost-start')).LostStart)

/** Looks, on a page that was just loaded, after the start whose answer the page before did not wait for. */
export function LeftStart(props: { find: FindStart }) {
  const [isLeft, setLeft] = useState(false)
  // External system: the browser's storage.
  useEffect(() => setLeft(sentStart() !== null), [])
  return isLeft && <LostStart {...props} />
}
