package shop;

import org.springframework.data.jpa.repository.JpaRepository;

interface Guests extends JpaRepository<Guest, Long> {}
