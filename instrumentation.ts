export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { installPeerAddress } = await import('./lib/auth/peer-address')
  installPeerAddress()
  const { boot } = await import('./lib/runs/boot')
  await boot()
}
