'use client'
import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

/**
 * Shows a link that prefetches its page only under the pointer or focus. In long lists, prefetching all visible links
 * would ask the server for dozens of pages that nobody opens.
 */
export function HoverPrefetchLink({
  onPointerEnter,
  onFocus,
  ...props
}: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [wanted, setWanted] = useState(false)
  return (
    <Link
      {...props}
      prefetch={wanted ? null : false}
      onPointerEnter={(event) => {
        setWanted(true)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        setWanted(true)
        onFocus?.(event)
      }}
    />
  )
}
