'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { destinationAt } from './destinations'

/** Section and page, as a way back; the page's own heading says the rest. */
export function WhereAmI() {
  const pathname = usePathname()
  const here = destinationAt(pathname)
  if (!here) return <div className="flex-1" />
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1.5">
      {here.section !== here.label && (
        <>
          <span className="hidden text-muted sm:inline">{here.section}</span>
          <span className="hidden text-muted sm:inline" aria-hidden>
            /
          </span>
        </>
      )}
      {pathname === here.href ? (
        <span className="truncate font-medium text-strong">{here.label}</span>
      ) : (
        <Link href={here.href} className="truncate font-medium text-link hover:underline">
          {here.label}
        </Link>
      )}
    </div>
  )
}
