package main

const root = "../../.."
