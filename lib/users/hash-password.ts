import { hash, verify } from '@node-rs/argon2'

// argon2id (the library's default) with the first choice of OWASP's password storage cheat sheet.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Of random bytes nobody kept. Checking against it takes as long as against a real one.
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$5/O3cOUB1krHPd4CZ7WnUQ$H58Gm0EATtgUhr6wpgH79vJauOkO7T7/nzHxc14CQbU'

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** `stored` null (no such account, or one without a password) takes the same time and is always false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? nobodysHash, password)
  return stored !== null && matches
}
