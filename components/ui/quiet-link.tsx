'use client'
import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

/**
 * A link whose page is fetched ahead once somebody is about to follow it, with pointer or focus. Where many stand side by
 * side, fetching whatever is in view asks the server for dozens of pages that nobody opens.
 */
export function QuietLink({
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
