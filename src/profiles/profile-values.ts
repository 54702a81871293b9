/** The kind of a service. The names of development keys end in `-DEV` (spec 5). */
export const serviceEnvironments = ['sandbox', 'development', 'production'] as const
export const protections = ['read-only', 'confirm', 'off'] as const
export const stores = ['keyring', 'file', 'command'] as const

export const profileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export type ServiceEnvironment = (typeof serviceEnvironments)[number]
export type Protection = (typeof protections)[number]
export type StoreKind = (typeof stores)[number]
