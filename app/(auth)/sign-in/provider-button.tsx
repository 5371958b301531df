'use client'
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'

/** Leaves for the identity provider, which sends people back signed in, or with an error code. */
export function ProviderButton({ name, target }: { name: string; target: string }) {
  const [state, setState] = useState<'idle' | 'leaving' | 'failed'>('idle')
  const leave = async () => {
    setState('leaving')
    try {
      const { signIn } = await import('next-auth/react')
      await signIn('oidc', { callbackUrl: target })
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      {state === 'failed' && (
        <ErrorNotice title="The server cannot be reached">
          Check the connection and try again.
        </ErrorNotice>
      )}
      <Button variant="primary" loading={state === 'leaving'} onClick={leave} className="w-full">
        <LogIn className="size-4" aria-hidden />
        Sign in with {name}
      </Button>
    </>
  )
}
