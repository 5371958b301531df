'use client'
import { LogOut } from 'lucide-react'
import { Button } from '@/components/ui/button'

export function SignOutButton() {
  return (
    <Button
      variant="ghost"
      className="self-start"
      onClick={async () => {
        const { signOut } = await import('next-auth/react')
        await signOut({ callbackUrl: '/sign-in' })
      }}
    >
      <LogOut className="size-4" aria-hidden />
      Sign out
    </Button>
  )
}
