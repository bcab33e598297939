/** Three arrows in a quiver: two edges leaving one vertex. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path
        d="M7 17 17.5 6.5M7 17h11M7 17V6"
        stroke="var(--q-accent-text)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path
        d="M13.5 5.5h5v5M15.5 14l3 3-3 3M4 8.5l3-3 3 3"
        stroke="var(--q-accent-text)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="7" cy="17" r="3.5" fill="var(--q-accent-text)" />
    </svg>
  )
}
